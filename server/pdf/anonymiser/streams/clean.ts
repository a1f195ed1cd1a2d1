import { deflateSync } from 'node:zlib'
import { maxDecodedBytes, maxRewrittenBytes, maxTextStreamBytes } from '../limits.ts'
import { pick } from '../rules/basic.ts'
import type { CopiedStream, Copier, StreamKind } from '../rules/copier.ts'
import { type PdfDict, PdfName, PdfRefused, type PdfStream } from '../syntax/values.ts'
import { cleanContent } from './content.ts'
import { type Filter, packing, predictor, readFilters, unpack, unpackAll } from './filters.ts'
import { measureDeflated } from './flate.ts'
import { cleanIccProfile } from './icc.ts'
import { cleanJbig2 } from './jbig2.ts'
import { pictures } from './pictures.ts'
import { cleanPostScript } from './postscript.ts'

/** Kinds whose bytes are read and written anew; of the others the packing is checked and the picture inside cleaned. */
const rewrite: Partial<Record<StreamKind, (data: Uint8Array) => Uint8Array>> = {
  content: cleanContent,
  postscript: cleanPostScript,
  icc: cleanIccProfile,
  jbig2: cleanJbig2,
}

/** Cleans the bytes of every stream that was copied, those included that cleaning itself brings in. */
export async function cleanStreams(copy: Copier): Promise<void> {
  let budget = maxDecodedBytes
  let size = 0
  for (let at = 0; at < copy.streams.length; at++) {
    const copied = copy.streams[at]
    if (!copied) continue
    budget -= await cleanStream(copied, copy, budget)
    size += copied.stream.data.length
    if (budget < 0 || size > maxRewrittenBytes) throw new PdfRefused('too large')
  }
}

/** @returns how many bytes were unpacked. */
async function cleanStream({ stream, kind, sources }: CopiedStream, copy: Copier, budget: number): Promise<number> {
  const rewriteData = rewrite[kind]
  if (rewriteData) return rewriteStream(stream, sources, rewriteData, copy, budget)
  const [source] = sources
  return source ? cleanPacked(stream, source, copy, budget) : 0
}

/** Several sources are one page description cut in pieces, often in the middle of an instruction. */
async function rewriteStream(
  stream: PdfStream,
  sources: PdfStream[],
  rewriteData: (data: Uint8Array) => Uint8Array,
  copy: Copier,
  budget: number,
): Promise<number> {
  const parts: Uint8Array[] = []
  let size = 0
  for (const source of sources) {
    const data = await unpackAll(source, copy, Math.min(budget, maxTextStreamBytes) - size)
    size += data.length + 1
    parts.push(data, Uint8Array.of(10))
  }
  parts.pop()
  pack(stream, rewriteData(Buffer.concat(parts)))
  return size
}

async function cleanPacked(stream: PdfStream, source: PdfStream, copy: Copier, budget: number): Promise<number> {
  const filters = readFilters(source, copy)
  const last = filters.pop()
  const maxBytes = Math.min(budget, maxTextStreamBytes)
  let data = source.data
  let unpacked = 0
  for (const filter of filters) {
    data = await unpack(filter, data, maxBytes)
    unpacked += data.length
  }
  const picture = last && pictures[last.name]
  if (picture) {
    stream.data = picture.clean(data)
    setFilter(stream.dict, last.name, pick(last.parameters, picture.parameters, copy))
    return unpacked
  }
  if (last && !packing.has(last.name)) throw new PdfRefused('unknown filter')
  const parameters = last && pick(last.parameters, predictor, copy)
  const measure = last?.name === 'FlateDecode' ? await measureDeflated(data, budget) : null
  if (measure) {
    stream.data = data.subarray(0, measure.packedBytes)
    setFilter(stream.dict, 'FlateDecode', parameters)
    return unpacked + measure.unpackedBytes
  }
  if (last) data = await unpack({ ...last, parameters: withoutPredictor(last) }, data, maxBytes)
  pack(stream, data, parameters)
  return unpacked + data.length
}

/** The predictor is no part of the packing here: it goes along to the new one. */
const withoutPredictor = ({ parameters }: Filter) => new Map([...parameters].filter(([key]) => key !== 'Predictor'))

function pack(stream: PdfStream, data: Uint8Array, parameters?: PdfDict): void {
  stream.data = deflateSync(data)
  setFilter(stream.dict, 'FlateDecode', parameters)
}

function setFilter(dict: PdfDict, name: string, parameters?: PdfDict): void {
  dict.set('Filter', new PdfName(name))
  if (parameters?.size) dict.set('DecodeParms', parameters)
}
