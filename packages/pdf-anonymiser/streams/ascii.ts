import { hexDigit, isWhitespace } from '../syntax/lexer.ts'
import { PdfLimitError, PdfRejectedError } from '../syntax/values.ts'

/**
 * Decoders for the three simple filters (ISO 32000-1, 7.4.2, 7.4.3 and 7.4.5). Each stops at its end marker and ignores
 * what follows.
 */

export function decodeAsciiHex(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil(data.length / 2))
  let size = 0
  let high = -1
  for (const byte of data) {
    if (byte === 0x3e) break
    const digit = hexDigit(byte)
    if (digit < 0) {
      if (isWhitespace(byte)) continue
      throw new PdfRejectedError('bad hexadecimal data')
    }
    if (high < 0) high = digit
    else {
      out[size++] = high * 16 + digit
      high = -1
    }
  }
  if (high >= 0) out[size++] = high * 16
  return out.subarray(0, size)
}

export function decodeAscii85(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length * 4)
  let size = 0
  let group: number[] = []
  const flush = (digits: number) => {
    const padded = [...group, 84, 84, 84, 84].slice(0, 5)
    const value = padded.reduce((sum, digit) => sum * 85 + digit, 0)
    for (let at = 0; at < digits - 1; at++) out[size++] = Math.floor(value / 256 ** (3 - at)) & 255
    group = []
  }
  for (const byte of data) {
    if (byte === 0x7e) break
    if (isWhitespace(byte)) continue
    if (byte === 0x7a && group.length === 0) {
      size += 4
      continue
    }
    if (byte < 0x21 || byte > 0x75) throw new PdfRejectedError('bad base-85 data')
    group.push(byte - 0x21)
    if (group.length === 5) flush(5)
  }
  if (group.length > 1) flush(group.length)
  return out.subarray(0, size)
}

export function decodeRunLength(data: Uint8Array, maxBytes: number): Uint8Array {
  const parts: Uint8Array[] = []
  let size = 0
  for (let at = 0; at < data.length; ) {
    const length = data[at++] ?? 128
    if (length === 128) break
    const part = length < 128 ? data.subarray(at, at + length + 1) : new Uint8Array(257 - length).fill(data[at] ?? 0)
    at += length < 128 ? length + 1 : 1
    size += part.length
    if (size > maxBytes) throw new PdfLimitError('oversized stream')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
