import { inflateSync } from 'node:zlib'
import type { ResourceNames } from '../rules/resource-names.ts'
import { countComponents } from '../rules/sizes.ts'
import { isWhitespace, Keyword, Lexer } from '../syntax/lexer.ts'
import { type PdfDict, PdfName, PdfRejectedError, PdfString, type PdfValue } from '../syntax/values.ts'
import { formatValue } from '../syntax/write.ts'
import type { Budget } from './filters.ts'
import { cleanInlineData, measureInline, readFilters } from './inline-data.ts'

/** The keys of an inline image (ISO 32000-1, 8.9.7) by their short names. */
const shortKeys: Record<string, string> = {
  BitsPerComponent: 'BPC',
  ColorSpace: 'CS',
  Decode: 'D',
  DecodeParms: 'DP',
  Filter: 'F',
  Height: 'H',
  ImageMask: 'IM',
  Interpolate: 'I',
  Width: 'W',
}
type Keep = (value: PdfValue) => PdfValue | undefined
const number: Keep = (value) => (typeof value === 'number' ? value : undefined)
const boolean: Keep = (value) => (typeof value === 'boolean' ? value : undefined)
const name: Keep = (value) => (value instanceof PdfName ? value : undefined)
const listOf =
  (keep: Keep): Keep =>
  (value) =>
    Array.isArray(value) ? value.map((item) => keep(item) ?? null) : undefined
const firstOf =
  (...keeps: Keep[]): Keep =>
  (value) =>
    keeps.map((keep) => keep(value)).find((kept) => kept !== undefined)

// biome-ignore format: a list of words
const allowedParameters = new Set([
  'Predictor', 'Colors', 'BitsPerComponent', 'Columns', 'EarlyChange', 'ColorTransform', 'K', 'EndOfLine',
  'EncodedByteAlign', 'Rows', 'EndOfBlock', 'BlackIs1', 'DamagedRowsBeforeError',
])
const parameters: Keep = (value) =>
  value instanceof Map
    ? new Map(
        [...value].filter(
          ([key, entry]) => allowedParameters.has(key) && (typeof entry === 'number' || typeof entry === 'boolean'),
        ),
      )
    : undefined

// biome-ignore format: a list of words
const deviceSpaces = new Set(['G', 'RGB', 'CMYK', 'DeviceGray', 'DeviceRGB', 'DeviceCMYK'])
const isDevice = (value: PdfValue | undefined): value is PdfName =>
  value instanceof PdfName && deviceSpaces.has(value.text)

/** Allows `[/I /RGB 1 <FF00000000FF>]`: only an indexed space is defined inline, with its colours. */
const palette: Keep = (value) => {
  if (!Array.isArray(value)) return undefined
  const [family, base, last, colours] = value
  if (value.length === 1 && isDevice(family)) return [family]
  const isIndexed = family instanceof PdfName && (family.text === 'I' || family.text === 'Indexed')
  if (!isIndexed || !isDevice(base) || typeof last !== 'number' || !(colours instanceof PdfString))
    throw new PdfRejectedError('unknown colours of an inline image')
  const bytes = Math.max(0, (last + 1) * (countComponents(base) ?? 4))
  return [family, base, last, new PdfString(colours.bytes.subarray(0, bytes))]
}

const keeps: Record<string, Keep> = {
  BPC: number,
  CS: firstOf(name, palette),
  D: listOf(number),
  DP: firstOf(parameters, listOf(parameters)),
  F: firstOf(name, listOf(name)),
  H: number,
  IM: boolean,
  I: boolean,
  W: number,
}

/** What the inline images of one stream share. They are read from front to back. */
export type InlineImages = {
  names: ResourceNames
  budget: Budget
  /** The end marks that do not occur in the rest of the stream, which would be searched again for every image. */
  missingMarks: Set<string>
}

/**
 * Reads the inline image whose `BI` ends at `at`, and writes it with only the required keys.
 * @returns `end`: the position after `EI`. Throws `PdfRejectedError` when the end of the data is ambiguous.
 */
export function cleanInlineImage(
  source: Uint8Array,
  at: number,
  { names, budget, missingMarks }: InlineImages,
): { end: number; bytes: Uint8Array } {
  const lexer = new Lexer(source, at)
  const entries: PdfDict = new Map()
  for (;;) {
    const key = lexer.readItem(0)
    if (key instanceof Keyword && key.text === 'ID') break
    if (!(key instanceof PdfName)) throw new PdfRejectedError('damaged inline image')
    const value = lexer.readValue()
    const short = shortKeys[key.text] ?? key.text
    const kept = Object.hasOwn(keeps, short) ? keeps[short]?.(value) : undefined
    if (kept !== undefined) entries.set(short, kept)
  }
  const space = entries.get('CS')
  if (space instanceof PdfName) entries.set('CS', new PdfName(names.replace(space.text)))
  const start = lexer.position + 1
  const filters = readFilters(entries)
  const known = measureData(source.subarray(start), entries, filters, missingMarks)
  const end = findEnd(source, start, start + known.bytes)
  const packed = source.subarray(start, known.exact ? start + known.bytes : end.data)
  const data = cleanInlineData(packed, entries, filters, budget)
  const header = [...entries].map(([key, value]) => `/${key} ${formatValue(value)}`)
  return {
    end: end.operator,
    bytes: Buffer.concat([Buffer.from(`BI ${header.join(' ')} ID `, 'latin1'), data, Buffer.from('\nEI', 'latin1')]),
  }
}

/** Returns the size of the data, or its minimum, so that an `EI` within the data is not mistaken for the end. */
function measureData(
  data: Uint8Array,
  entries: PdfDict,
  filters: string[],
  missingMarks: Set<string>,
): { bytes: number; exact: boolean } {
  const [first] = filters
  if (first === undefined) {
    const bytes = measureInline(entries)
    return { bytes: Math.min(bytes ?? 0, data.length), exact: bytes !== undefined }
  }
  if (first === 'FlateDecode') return { bytes: measureFlate(data), exact: true }
  const mark = endMarks[first]
  if (mark === undefined || missingMarks.has(mark)) return { bytes: 0, exact: false }
  const at = Buffer.from(data.buffer, data.byteOffset, data.length).indexOf(mark)
  if (at >= 0) return { bytes: at + mark.length, exact: true }
  missingMarks.add(mark)
  return { bytes: 0, exact: false }
}

const endMarks: Record<string, string> = { ASCII85Decode: '~>', ASCIIHexDecode: '>' }

function measureFlate(data: Uint8Array): number {
  try {
    const info = inflateSync(data, { info: true, maxOutputLength: 1 << 24 }) as unknown as {
      engine: { bytesWritten: number }
    }
    return info.engine.bytesWritten
  } catch {
    throw new PdfRejectedError('damaged inline image')
  }
}

/** Finds a separate `EI` after white space that is followed by plausible content. */
function findEnd(source: Uint8Array, dataStart: number, from: number): { data: number; operator: number } {
  for (let at = from; at + 1 < source.length; at++) {
    if (source[at] !== 0x45 || source[at + 1] !== 0x49) continue
    const isDelimited = (at === dataStart || at === from || isWhitespace(source[at - 1])) && isBoundary(source[at + 2])
    if (!isDelimited || !looksLikeContent(source.subarray(at + 2, at + 34))) continue
    return { data: at > from && isWhitespace(source[at - 1]) ? at - 1 : at, operator: at + 2 }
  }
  throw new PdfRejectedError('inline image without an end')
}

const isBoundary = (byte: number | undefined) => byte === undefined || isWhitespace(byte)
const looksLikeContent = (bytes: Uint8Array) => bytes.every((byte) => isWhitespace(byte) || (byte >= 32 && byte < 127))
