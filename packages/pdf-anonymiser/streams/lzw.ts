import { PdfLimitError, PdfRejectedError } from '../syntax/values.ts'

const clear = 256
const end = 257

/** LZW as TIFF and PDF use it: codes of 9 to 12 bits, high bits first. `earlyChange` 1 widens codes one entry early. */
export function decodeLzw(data: Uint8Array, earlyChange: number, maxBytes: number): Uint8Array {
  const prefix = new Uint16Array(4096)
  const suffix = new Uint8Array(4096)
  const lengths = new Uint16Array(4096).fill(1, 0, 256)
  for (let byte = 0; byte < 256; byte++) suffix[byte] = byte
  let out = new Uint8Array(Math.max(1024, data.length * 4))
  let size = 0
  let next = 258
  let width = 9
  let previous = -1
  let bits = 0
  let held = 0

  for (const byte of data) {
    bits = ((bits << 8) | byte) & 0xfffff
    held += 8
    if (held < width) continue
    held -= width
    const code = (bits >> held) & ((1 << width) - 1)
    if (code === end) break
    if (code === clear) {
      next = 258
      width = 9
      previous = -1
      continue
    }
    if (code > next || (code >= 258 && code === next && previous < 0)) throw new PdfRejectedError('damaged LZW data')
    if (previous >= 0 && next < 4096) {
      prefix[next] = previous
      lengths[next] = (lengths[previous] ?? 0) + 1
      suffix[next] = firstByte(code === next ? previous : code, prefix, suffix)
      next++
    } else if (code >= next) throw new PdfRejectedError('damaged LZW data')
    const length = lengths[code] ?? 0
    if (size + length > maxBytes) throw new PdfLimitError('oversized stream')
    if (size + length > out.length) out = enlarge(out, size + length)
    let at = code
    for (let place = size + length - 1; place >= size; place--) {
      out[place] = suffix[at] ?? 0
      at = prefix[at] ?? 0
    }
    size += length
    previous = code
    if (next + earlyChange >= 1 << width && width < 12) width++
  }
  return out.subarray(0, size)
}

function firstByte(code: number, prefix: Uint16Array, suffix: Uint8Array): number {
  let at = code
  while (at >= 258) at = prefix[at] ?? 0
  return suffix[at] ?? 0
}

function enlarge(bytes: Uint8Array, wanted: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(wanted, bytes.length * 2))
  larger.set(bytes)
  return larger
}
