import { deflateSync } from 'node:zlib'
import { maxDecodedBytes, maxTextStreamBytes } from '../limits.ts'
import { boolean, type Entries, number, pick, stream } from '../rules/basic.ts'
import type { CopiedStream, Copier, StreamKind } from '../rules/copier.ts'
import { type PdfDict, PdfName, PdfRefused, type PdfValue } from '../syntax/values.ts'
import { cleanContent } from './content.ts'
import { packing, unpack } from './decode.ts'
import { measureDeflated } from './flate.ts'
import { cleanIccProfile } from './icc.ts'
import { cleanJbig2 } from './jbig2.ts'
import { cleanJpeg } from './jpeg.ts'
import { cleanJpx } from './jpx.ts'
import { cleanPostScript } from './postscript.ts'

/** Kinds whose bytes are read and written anew; of the others the packing is checked and the picture inside cleaned. */
const rewrite: Partial<Record<StreamKind, (data: Uint8Array) => Uint8Array>> = {
  content: cleanContent,
  cmap: cleanPostScript,
  icc: cleanIccProfile,
}

const predictor: Entries = { Predictor: number, Colors: number, BitsPerComponent: number, Columns: number }
const pictures: Record<string, { clean: (data: Uint8Array) => Uint8Array; parameters: Entries }> = {
  DCTDecode: { clean: cleanJpeg, parameters: { ColorTransform: number } },
  JPXDecode: { clean: cleanJpx, parameters: {} },
  JBIG2Decode: { clean: cleanJbig2, parameters: { JBIG2Globals: stream('jbig2', {}) } },
  CCITTFaxDecode: {
    clean: (data) => data,
    parameters: {
      K: number,
      EndOfLine: boolean,
      EncodedByteAlign: boolean,
      Columns: number,
      Rows: number,
      EndOfBlock: boolean,
      BlackIs1: boolean,
      DamagedRowsBeforeError: number,
    },
  },
}

type Filter = { name: string; parameters: PdfDict }

/** Cleans the bytes of every stream that was copied, those included that cleaning itself brings in. */
export async function cleanStreams(copy: Copier): Promise<void> {
  let budget = maxDecodedBytes
  for (let at = 0; at < copy.streams.length; at++) {
    const copied = copy.streams[at]
    if (copied) budget -= await cleanStream(copied, copy, budget)
    if (budget < 0) throw new PdfRefused('unpacks to too much')
  }
}

/** @returns how many bytes were unpacked. */
async function cleanStream(copied: CopiedStream, copy: Copier, budget: number): Promise<number> {
  const { stream: target, kind, source } = copied
  const filters = readFilters(source, copy)
  const rewriteData = rewrite[kind] ?? (kind === 'jbig2' ? cleanJbig2 : undefined)
  const maxBytes = Math.min(budget, maxTextStreamBytes)
  let unpacked = 0
  while (filters.length > (rewriteData ? 0 : 1)) {
    const filter = filters.shift()
    if (!filter || !packing.has(filter.name) || hasPredictor(filter)) throw new PdfRefused('unexpected filter')
    target.data = unpack(filter.name, target.data, maxBytes, earlyChange(filter))
    unpacked += target.data.length
  }
  if (rewriteData) {
    pack(target.dict, target, rewriteData(target.data))
    return unpacked
  }
  const last = filters[0]
  const picture = last && pictures[last.name]
  if (picture) {
    target.data = picture.clean(target.data)
    setFilter(target.dict, last.name, pick(last.parameters, picture.parameters, copy))
  } else if (last?.name === 'FlateDecode') {
    const { packedBytes, unpackedBytes } = await measureDeflated(target.data, budget)
    target.data = target.data.subarray(0, packedBytes)
    unpacked += unpackedBytes
    setFilter(target.dict, last.name, pick(last.parameters, predictor, copy))
  } else {
    const data = last ? unpack(last.name, target.data, maxBytes, earlyChange(last)) : target.data
    unpacked += data.length
    pack(target.dict, target, data, last && pick(last.parameters, predictor, copy))
  }
  return unpacked
}

function pack(dict: PdfDict, target: { data: Uint8Array }, data: Uint8Array, parameters?: PdfDict): void {
  target.data = deflateSync(data)
  setFilter(dict, 'FlateDecode', parameters)
}

function setFilter(dict: PdfDict, name: string, parameters?: PdfDict): void {
  dict.set('Filter', new PdfName(name))
  if (parameters?.size) dict.set('DecodeParms', parameters)
}

function readFilters(source: PdfDict, copy: Copier): Filter[] {
  if (source.has('F')) throw new PdfRefused('data in another file')
  const names = toList(copy.source.resolve(source.get('Filter')))
  const parameters = toList(copy.source.resolve(source.get('DecodeParms')))
  return names.map((item, at) => {
    const name = copy.source.resolve(item)
    const dict = copy.source.resolve(parameters[at])
    if (!(name instanceof PdfName)) throw new PdfRefused('unnamed filter')
    return { name: name.text, parameters: dict instanceof Map ? dict : new Map() }
  })
}

const toList = (value: PdfValue) => (Array.isArray(value) ? value : value === null ? [] : [value])

function hasPredictor({ parameters }: Filter): boolean {
  const value = parameters.get('Predictor')
  return value !== undefined && value !== 1
}

function earlyChange({ parameters }: Filter): number {
  return parameters.get('EarlyChange') === 0 ? 0 : 1
}
