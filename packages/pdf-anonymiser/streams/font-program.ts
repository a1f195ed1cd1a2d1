import type { Copier } from '../rules/copier.ts'
import { latin1 } from '../syntax/lexer.ts'
import { type PdfDict, PdfRejectedError } from '../syntax/values.ts'
import { blankCffNames, blankType1Names } from './font-names.ts'
import { cleanSfnt } from './sfnt.ts'

const sfntVersions = new Set(['\0\x01\0\0', 'true', 'OTTO'])
/** The trailer of a Type 1 font: 512 zeros and the operator that removes them from the stack. */
const trailer = /(?:0[\s]*){512}cleartomark/
/**
 * Longer than any spelling of the trailer. The pattern is tried only on this tail, because a search in the whole font
 * is slow.
 */
const maxTrailerLength = 4096

/**
 * Removes the bytes after the end of a font program and the tables that are not needed to draw. The format is detected
 * by the first bytes, as in readers, regardless of the dictionary entry.
 * @param entries of the stream, with the lengths of a Type 1 font's three parts.
 */
export function cleanFontProgram(data: Uint8Array, entries: PdfDict, { names }: Pick<Copier, 'names'>): Uint8Array {
  const start = latin1(data, 0, 4)
  if (start === '') return data
  if (sfntVersions.has(start)) {
    const font = cleanSfnt(data, names)
    entries.set('Length1', font.length)
    return font
  }
  if (start.startsWith('%!')) return blankType1Names(data.subarray(0, findType1End(data, entries)))
  if (start.startsWith('\x80\x01')) return blankType1Names(data.subarray(0, findSegmentsEnd(data)))
  // A bare CFF font has no end marker and no length: its end is known only from all its tables together.
  if (start.startsWith('\x01\0')) return blankCffNames(data, names)
  throw new PdfRejectedError('unknown font program')
}

/**
 * Returns the end of the closing zeros if there are any, because readers use them; otherwise the end by the entries.
 */
function findType1End(data: Uint8Array, entries: PdfDict): number {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length)
  const mark = bytes.indexOf('cleartomark', 0, 'latin1')
  const close = mark + 'cleartomark'.length
  if (mark >= 0 && trailer.test(latin1(data, Math.max(0, mark - maxTrailerLength), close))) return close
  const [plain, encrypted] = ['Length1', 'Length2'].map((key) => Number(entries.get(key) ?? 0))
  if (!isLength(plain) || !isLength(encrypted) || plain + encrypted > data.length)
    throw new PdfRejectedError('a font without an end')
  return plain + encrypted
}

const isLength = (value: number | undefined): value is number => Number.isSafeInteger(value) && Number(value) > 0

/** Finds the end of a Type 1 font in segments: each has a marker, a type and, except for the last, a length. */
function findSegmentsEnd(data: Uint8Array): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let at = 0; at + 2 <= data.length; ) {
    if (data[at] !== 0x80) break
    if (data[at + 1] === 3) return at + 2
    if (at + 6 > data.length) break
    at += 6 + view.getUint32(at + 2, true)
    if (at === data.length) return at
  }
  throw new PdfRejectedError('a font without an end')
}
