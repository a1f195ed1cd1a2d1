import { inflateSync } from 'node:zlib'
import { isWhitespace } from '../syntax/characters.ts'
import { Keyword, Lexer } from '../syntax/lexer.ts'
import { type PdfDict, PdfName, PdfRefused, PdfString, type PdfValue } from '../syntax/values.ts'
import { formatValue } from '../syntax/write.ts'
import { cleanJpeg } from './jpeg.ts'

/** Keys of an inline image, each under its short and its long name (ISO 32000-1, 8.9.7). */
// biome-ignore format: a list of words
const allowed = new Set([
  'BPC', 'BitsPerComponent', 'CS', 'ColorSpace', 'D', 'Decode', 'DP', 'DecodeParms', 'F', 'Filter', 'H', 'Height', 'IM',
  'ImageMask', 'I', 'Interpolate', 'W', 'Width',
])
// biome-ignore format: a list of words
const allowedParameters = new Set([
  'Predictor', 'Colors', 'BitsPerComponent', 'Columns', 'EarlyChange', 'ColorTransform', 'K', 'EndOfLine',
  'EncodedByteAlign', 'Rows', 'EndOfBlock', 'BlackIs1', 'DamagedRowsBeforeError',
])
const components: Record<string, number> = {
  G: 1,
  DeviceGray: 1,
  RGB: 3,
  DeviceRGB: 3,
  CMYK: 4,
  DeviceCMYK: 4,
  I: 1,
  Indexed: 1,
}

/**
 * Reads the image whose `BI` ends at `at`, and writes it again with the keys it needs.
 * @returns `end`: past `EI`. Raises `PdfRefused` when the end of the data cannot be told.
 */
export function cleanInlineImage(source: Uint8Array, at: number): { end: number; bytes: Uint8Array } {
  const lexer = new Lexer(source, at)
  const entries: PdfDict = new Map()
  for (;;) {
    const key = lexer.readItem(0)
    if (key instanceof Keyword && key.text === 'ID') break
    if (!(key instanceof PdfName)) throw new PdfRefused('damaged inline image')
    const value = lexer.readValue()
    if (allowed.has(key.text)) entries.set(key.text, value)
  }
  const start = lexer.position + 1
  const filters = readFilters(entries)
  const known = measureData(source.subarray(start), entries, filters)
  const end = findEnd(source, start, start + known.bytes)
  const data = source.subarray(start, known.exact ? start + known.bytes : end.data)
  const header = [...entries].map(
    ([key, value]) => `${formatValue(new PdfName(key))} ${formatValue(cleanEntry(value))}`,
  )
  return {
    end: end.operator,
    bytes: Buffer.concat([
      Buffer.from(`BI ${header.join(' ')} ID `, 'latin1'),
      cleanData(data, filters),
      Buffer.from('\nEI', 'latin1'),
    ]),
  }
}

/** Dictionaries appear only as parameters of filters; strings only as palettes. */
function cleanEntry(value: PdfValue): PdfValue {
  if (Array.isArray(value)) return value.map(cleanEntry)
  if (!(value instanceof Map)) return value
  return new Map([...value].filter(([key, entry]) => allowedParameters.has(key) && !(entry instanceof PdfString)))
}

function readFilters(entries: PdfDict): string[] {
  const filter = entries.get('F') ?? entries.get('Filter') ?? []
  const list = Array.isArray(filter) ? filter : [filter]
  return list.map((item) => {
    if (!(item instanceof PdfName)) throw new PdfRefused('damaged inline image')
    return item.text
  })
}

function cleanData(data: Uint8Array, filters: string[]): Uint8Array {
  const isJpeg = filters.some((filter) => filter === 'DCT' || filter === 'DCTDecode')
  if (!isJpeg) return data
  if (filters.length > 1) throw new PdfRefused('packed JPEG in a page description')
  return cleanJpeg(data)
}

/** How many bytes the data has, or has at least, so that an `EI` among them is not taken for the end. */
function measureData(data: Uint8Array, entries: PdfDict, filters: string[]): { bytes: number; exact: boolean } {
  const first = filters[0]
  if (first === undefined) return { bytes: Math.min(rawLength(entries), data.length), exact: false }
  if (first === 'Fl' || first === 'FlateDecode') return { bytes: measureFlate(data), exact: true }
  const mark =
    first === 'A85' || first === 'ASCII85Decode' ? '~>' : first === 'AHx' || first === 'ASCIIHexDecode' ? '>' : null
  if (mark === null) return { bytes: 0, exact: false }
  const at = Buffer.from(data.buffer, data.byteOffset, data.length).indexOf(mark)
  return at < 0 ? { bytes: 0, exact: false } : { bytes: at + mark.length, exact: true }
}

function measureFlate(data: Uint8Array): number {
  try {
    const info = inflateSync(data, { info: true, maxOutputLength: 1 << 24 }) as unknown as {
      engine: { bytesWritten: number }
    }
    return info.engine.bytesWritten
  } catch {
    throw new PdfRefused('damaged inline image')
  }
}

function rawLength(entries: PdfDict): number {
  const width = entries.get('W') ?? entries.get('Width')
  const height = entries.get('H') ?? entries.get('Height')
  const isMask = (entries.get('IM') ?? entries.get('ImageMask')) === true
  const bits = isMask ? 1 : (entries.get('BPC') ?? entries.get('BitsPerComponent'))
  const space = entries.get('CS') ?? entries.get('ColorSpace') ?? null
  const family = Array.isArray(space) ? (space[0] ?? null) : space
  const perPixel = isMask ? 1 : family instanceof PdfName ? (components[family.text] ?? 1) : 1
  if (typeof width !== 'number' || typeof height !== 'number' || typeof bits !== 'number') return 0
  return Math.ceil((width * perPixel * bits) / 8) * height
}

/** `EI` on its own after white space, with what can be page description behind it. */
function findEnd(source: Uint8Array, dataStart: number, from: number): { data: number; operator: number } {
  for (let at = from; at + 1 < source.length; at++) {
    if (source[at] !== 0x45 || source[at + 1] !== 0x49) continue
    const stands = (at === dataStart || at === from || isWhitespace(source[at - 1])) && isBoundary(source[at + 2])
    if (!stands || !looksLikeContent(source.subarray(at + 2, at + 34))) continue
    return { data: at > from && isWhitespace(source[at - 1]) ? at - 1 : at, operator: at + 2 }
  }
  throw new PdfRefused('inline image without an end')
}

const isBoundary = (byte: number | undefined) => byte === undefined || isWhitespace(byte)
const looksLikeContent = (bytes: Uint8Array) => bytes.every((byte) => isWhitespace(byte) || (byte >= 32 && byte < 127))
