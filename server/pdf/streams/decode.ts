import { constants, inflateRawSync, inflateSync } from 'node:zlib'
import { hexDigit, isWhitespace } from '../syntax/characters.ts'
import { PdfRefused } from '../syntax/values.ts'
import { decodeLzw } from './lzw.ts'

/** The filters that pack bytes, as against those that encode pictures. */
export const packing = new Set(['FlateDecode', 'LZWDecode', 'ASCII85Decode', 'ASCIIHexDecode', 'RunLengthDecode'])

/** Unpacks one filter. Raises `PdfRefused` when the bytes are damaged or unpack to more than `maxBytes`. */
export function unpack(filter: string, data: Uint8Array, maxBytes: number, earlyChange = 1): Uint8Array {
  if (filter === 'FlateDecode') return inflate(data, maxBytes)
  if (filter === 'LZWDecode') return decodeLzw(data, earlyChange, maxBytes)
  if (filter === 'ASCII85Decode') return decodeAscii85(data)
  if (filter === 'ASCIIHexDecode') return decodeAsciiHex(data)
  if (filter === 'RunLengthDecode') return decodeRunLength(data, maxBytes)
  throw new PdfRefused(`unknown filter ${filter.slice(0, 20)}`)
}

/** A stream that ends early gives what there is, as in readers; a wrong checksum is overlooked like there. */
function inflate(data: Uint8Array, maxOutputLength: number): Uint8Array {
  const options = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    return inflateSync(data, options)
  } catch {
    try {
      return inflateRawSync(data.subarray(2), options)
    } catch {
      throw new PdfRefused('damaged or oversized stream')
    }
  }
}

export function decodeAsciiHex(data: Uint8Array): Uint8Array {
  const out: number[] = []
  let high = -1
  for (const byte of data) {
    if (byte === 0x3e) break
    const digit = hexDigit(byte)
    if (digit < 0) {
      if (isWhitespace(byte)) continue
      throw new PdfRefused('bad hexadecimal data')
    }
    if (high < 0) high = digit
    else {
      out.push(high * 16 + digit)
      high = -1
    }
  }
  if (high >= 0) out.push(high * 16)
  return Uint8Array.from(out)
}

export function decodeAscii85(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil(data.length * 4))
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
    if (byte < 0x21 || byte > 0x75) throw new PdfRefused('bad base-85 data')
    group.push(byte - 0x21)
    if (group.length === 5) flush(5)
  }
  if (group.length > 1) flush(group.length)
  return out.subarray(0, size)
}

function decodeRunLength(data: Uint8Array, maxBytes: number): Uint8Array {
  const parts: Uint8Array[] = []
  let size = 0
  for (let at = 0; at < data.length; ) {
    const length = data[at++] ?? 128
    if (length === 128) break
    const part = length < 128 ? data.subarray(at, at + length + 1) : new Uint8Array(257 - length).fill(data[at] ?? 0)
    at += length < 128 ? length + 1 : 1
    size += part.length
    if (size > maxBytes) throw new PdfRefused('oversized stream')
    parts.push(part)
  }
  return Buffer.concat(parts)
}
