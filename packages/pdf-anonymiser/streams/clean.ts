import { deflateSync } from 'node:zlib'
import { pick } from '../rules/basic.ts'
import type { CopiedStream, Copier, StreamKind } from '../rules/copier.ts'
import { markEntries } from '../rules/marked-content.ts'
import { measurePrepared } from '../rules/sizes.ts'
import { type PdfDict, PdfLimitError, PdfName, PdfRejectedError, type PdfStream } from '../syntax/values.ts'
import { cleanCharacterMap } from './character-map.ts'
import { cleanContent } from './content.ts'
import { Budget, type Filter, packing, predictor, readFilters, unpack, unpackAll } from './filters.ts'
import { cutDeflated, measureDeflated } from './flate.ts'
import { cleanFontProgram } from './font-program.ts'
import { cleanIccProfile } from './icc.ts'
import { pictures } from './image-filters.ts'
import { cleanJbig2 } from './jbig2.ts'
import { cleanPostScriptFunction } from './postscript-function.ts'

/**
 * Kinds whose bytes are parsed and rewritten. For the others only the filter is checked and the image inside cleaned.
 */
const rewrite: Partial<
  Record<StreamKind, (data: Uint8Array, entries: PdfDict, copy: Copier, inlineBudget: Budget) => Uint8Array>
> = {
  content: (data, _entries, copy, inlineBudget) =>
    cleanContent(data, copy.resourceNames, (properties) => pick(properties, markEntries, copy), inlineBudget),
  characterMap: cleanCharacterMap,
  calculator: cleanPostScriptFunction,
  font: cleanFontProgram,
  icc: cleanIccProfile,
  jbig2: cleanJbig2,
}

/**
 * Cleans the bytes of every copied stream, including streams that cleaning itself adds, and rejects unknown ones.
 * @returns the lengths of content streams and forms.
 */
export async function cleanStreams(copy: Copier): Promise<Map<PdfStream, number>> {
  const { maxTextBytes, maxTextStreamBytes, maxMapBytes, maxDataBytes, maxRewrittenBytes } = copy.limits
  const texts = new Budget(maxTextBytes, maxTextStreamBytes)
  const data = new Budget(maxDataBytes)
  const inline = new Budget(maxTextBytes)
  const budgets: Partial<Record<StreamKind, Budget>> = { characterMap: new Budget(maxMapBytes), font: data }
  const rewritten = new Budget(maxRewrittenBytes)
  const lengths = new Map<PdfStream, number>()
  for (let at = 0; at < copy.streams.length; at++) {
    const copied = copy.streams[at]
    if (!copied) continue
    const { stream, kind, sources } = copied
    const rewriteData = rewrite[kind]
    try {
      if (rewriteData) {
        const pieces = await unpackPieces(sources, copy, budgets[kind] ?? texts)
        const text = rewriteData(pieces, stream.dict, copy, inline)
        if (kind === 'content') lengths.set(stream, text.length)
        pack(stream, text)
      } else await cleanPacked(copied, copy, data)
    } catch (error) {
      copy.refuse(error, stream)
    }
    rewritten.spend(stream.data.length)
  }
  return lengths
}

/** Several sources are pieces of one content stream, which is often cut in the middle of an instruction. */
async function unpackPieces(sources: PdfStream[], copy: Copier, budget: Budget): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for (const source of sources) parts.push(await unpackAll(source, copy, budget), Uint8Array.of(10))
  parts.pop()
  if (parts.reduce((size, part) => size + part.length, 0) > copy.limits.maxTextStreamBytes)
    throw new PdfLimitError('oversized stream')
  return Buffer.concat(parts)
}

async function cleanPacked(copied: CopiedStream, copy: Copier, budget: Budget): Promise<void> {
  const { stream, sources } = copied
  const [source] = sources
  if (!source) return
  const filters = readFilters(source, copy)
  const last = filters.pop()
  let data = source.data
  for (const filter of filters) data = await unpack(filter, data, budget)
  const picture = last && pictures[last.name]
  if (picture) {
    const parameters = pick(last.parameters, picture.parameters, copy)
    stream.data = picture.clean(data, parameters, stream.dict)
    setFilter(stream.dict, last.name, picture.rewritten?.(parameters) ?? parameters)
    return
  }
  if (last && !packing.has(last.name)) throw new PdfRejectedError('unknown filter')
  const parameters = last && pick(last.parameters, predictor, copy)
  const maxBytes = measurePrepared(copied.maxBytes, parameters ?? new Map())
  const measure = last?.name === 'FlateDecode' ? await measureDeflated(data, budget.room) : null
  if (measure) {
    budget.spend(measure.unpackedBytes)
    const isCut = measure.unpackedBytes > maxBytes
    stream.data = isCut ? await cutDeflated(data, maxBytes) : data.subarray(0, measure.packedBytes)
    setFilter(stream.dict, 'FlateDecode', parameters)
    return
  }
  if (last) data = await unpack({ ...last, parameters: withoutPredictor(last) }, data, budget)
  pack(stream, data.subarray(0, maxBytes), parameters)
}

/** The data keeps its predictor when it is compressed again, so decompression must not undo it. */
const withoutPredictor = ({ parameters }: Filter) => new Map([...parameters].filter(([key]) => key !== 'Predictor'))

function pack(stream: PdfStream, data: Uint8Array, parameters?: PdfDict): void {
  stream.data = deflateSync(data)
  setFilter(stream.dict, 'FlateDecode', parameters)
}

function setFilter(dict: PdfDict, name: string, parameters?: PdfDict): void {
  dict.set('Filter', new PdfName(name))
  if (parameters?.size) dict.set('DecodeParms', parameters)
}
