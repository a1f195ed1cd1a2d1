import { latin1 } from '../syntax/lexer.ts'
import { PdfRejectedError } from '../syntax/values.ts'

const huffmanTables = 0xc4
const reserved = 0xc8
const arithmeticTables = 0xcc
const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const quantisationTables = 0xdb
const numberOfLines = 0xdc
const restartInterval = 0xdd
const jfif = 0xe0
const adobe = 0xee
const comment = 0xfe

/**
 * Reduces a JPEG to its image: frame, tables and scans. Of the application segments only the fixed parts of JFIF and
 * Adobe remain, because they define the colours. EXIF, XMP, IPTC, thumbnails, comments, trailing data and the colour
 * profile (readers use the PDF's) are removed.
 */
export function cleanJpeg(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let at = 0
  while (at < data.length && data[at] !== 0xff) at++
  if (data[at + 1] !== startOfImage) throw new PdfRejectedError('not a JPEG')
  parts.push(Uint8Array.of(0xff, startOfImage))
  at += 2
  for (;;) {
    at = findMarker(data, at)
    const marker = data[at + 1]
    if (marker === undefined || marker === endOfImage) break
    if (isBare(marker)) {
      at += 2
      continue
    }
    const length = (data[at + 2] ?? 0) * 256 + (data[at + 3] ?? 0)
    if (length < 2 || at + 2 + length > data.length) throw new PdfRejectedError('damaged JPEG')
    const kept = cleanSegment(marker, data.subarray(at, at + 2 + length))
    if (kept) parts.push(kept)
    at += 2 + length
    if (marker !== startOfScan) continue
    const end = findScanEnd(data, at)
    parts.push(data.subarray(at, end))
    at = end
  }
  parts.push(Uint8Array.of(0xff, endOfImage))
  return Buffer.concat(parts)
}

/** Returns the next marker that is not a fill byte, or a position past the end. */
function findMarker(data: Uint8Array, from: number): number {
  let at = from
  while (at < data.length && !(data[at] === 0xff && data[at + 1] !== 0xff && data[at + 1] !== 0)) at++
  return at
}

/** Restart markers and stuffed zeros belong to a scan. */
function findScanEnd(data: Uint8Array, from: number): number {
  let at = from
  for (; at < data.length; at++) {
    if (data[at] !== 0xff) continue
    const next = data[at + 1]
    if (next !== 0 && next !== 0xff && !(next !== undefined && next >= 0xd0 && next <= 0xd7)) return at
  }
  return at
}

const isBare = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

function cleanSegment(marker: number, segment: Uint8Array): Uint8Array | null {
  if (marker >= 0xe0 && marker <= 0xef) return cleanApplicationSegment(marker, segment)
  if (marker === comment) return null
  if (!hasFittingLength(marker, segment)) throw new PdfRejectedError('unknown or damaged JPEG segment')
  return segment
}

/** Returns whether nothing can follow the content of the segment: readers skip, or do not check, what is too long. */
function hasFittingLength(marker: number, segment: Uint8Array): boolean {
  const size = segment.length - 2
  if (marker === huffmanTables || marker === quantisationTables) return true
  if (marker === arithmeticTables) return size % 2 === 0
  if (marker === numberOfLines || marker === restartInterval) return size === 4
  if (marker === startOfScan) return size === 6 + 2 * (segment[4] ?? 0)
  const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== reserved
  return isFrame && size === 8 + 3 * (segment[9] ?? 0)
}

function cleanApplicationSegment(marker: number, segment: Uint8Array): Uint8Array | null {
  const label = latin1(segment, 4, 9)
  if (marker === jfif && label === 'JFIF\0' && segment.length >= 18) {
    const fixed = new Uint8Array(segment.subarray(0, 18))
    fixed.set([0, 16], 2)
    fixed.set([0, 0], 16) // no thumbnail
    return fixed
  }
  if (marker === adobe && label === 'Adobe' && segment.length >= 16) {
    const fixed = new Uint8Array(segment.subarray(0, 16))
    fixed.set([0, 14], 2)
    return fixed
  }
  return null
}
