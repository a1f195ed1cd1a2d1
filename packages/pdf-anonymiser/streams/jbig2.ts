import { PdfRejectedError } from '../syntax/values.ts'

const extension = 62
const unknownLength = 0xffffffff

/** Removes comment segments from embedded JBIG2 data (ISO 14492, 7.4.15). */
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
    // Only a final region may have an unknown length.
    const end = length === unknownLength ? data.length : Math.min(data.length, at + header + 4 + length)
    if (type !== extension) kept.push(data.subarray(at, end))
    at = end
  }
  return Buffer.concat(kept)
}

const referenceSize = (segment: number) => (segment <= 256 ? 1 : segment <= 65_536 ? 2 : 4)
