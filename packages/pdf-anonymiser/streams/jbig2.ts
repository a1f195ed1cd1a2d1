import { PdfRejectedError } from '../syntax/values.ts'

const pageInformation = 48
const pageInformationSize = 19
const endOfFile = 51
/** Dictionaries, regions, pages, stripes and tables (ISO 14492, 7.3), as opposed to comments, profiles and colours. */
const drawing = new Set([0, 4, 6, 7, 16, 20, 22, 23, 36, 38, 39, 40, 42, 43, 48, 49, 50, 53])
const unknownLength = 0xffffffff

/** Keeps only the segments of embedded JBIG2 data that draw. */
export function cleanJbig2(data: Uint8Array): Uint8Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const kept: Uint8Array[] = []
  for (let at = 0; at < data.length; ) {
    if (at + 11 > data.length) {
      if (data.subarray(at).every((byte) => byte === 0 || byte === 10 || byte === 13)) break
      throw new PdfRejectedError('damaged JBIG2 data')
    }
    const number = view.getUint32(at)
    const flags = data[at + 4] ?? 0
    const type = flags & 63
    let header = 5
    const shortCount = (data[at + header] ?? 0) >> 5
    if (shortCount === 7) {
      const count = view.getUint32(at + header) & 0x1fffffff
      header += 4 + Math.ceil((count + 1) / 8) + count * referenceSize(number)
    } else header += 1 + shortCount * referenceSize(number)
    header += (flags & 64) !== 0 ? 4 : 1
    if (at + header + 4 > data.length) throw new PdfRejectedError('damaged JBIG2 data')
    const length = view.getUint32(at + header)
    if (type === endOfFile) break
    const start = at + header + 4
    const end = length === unknownLength ? findRegionEnd(data, start, type) : Math.min(data.length, start + length)
    if (type === pageInformation && length > pageInformationSize) {
      const page = new Uint8Array(data.subarray(at, start + pageInformationSize))
      new DataView(page.buffer).setUint32(header, pageInformationSize)
      kept.push(page)
    } else if (drawing.has(type)) kept.push(data.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

const genericRegion = 38
/** The position of the region and its flags. */
const regionHeaderSize = 18

/**
 * Returns the end of a generic region of unknown length, the only kind that may have one: its data ends with a mark,
 * which is followed by the number of its rows (ISO 14492, 7.2.7).
 */
function findRegionEnd(data: Uint8Array, start: number, type: number): number {
  const flags = data[start + regionHeaderSize - 1] ?? 0
  const isFax = (flags & 1) !== 0
  const isLargeTemplate = (flags & 6) === 0
  const pixels = isFax ? 0 : isLargeTemplate ? 8 : 2
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length)
  const mark = bytes.indexOf(isFax ? '0000' : 'ffac', start + regionHeaderSize + pixels, 'hex')
  const end = mark + 6
  if (type !== genericRegion || mark < 0 || end > data.length) throw new PdfRejectedError('damaged JBIG2 data')
  return end
}

const referenceSize = (segment: number) => (segment <= 256 ? 1 : segment <= 65_536 ? 2 : 4)
