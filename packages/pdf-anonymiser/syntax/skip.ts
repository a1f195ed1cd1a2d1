import { PdfRejectedError } from './values.ts'

/** Skips PDF syntax without parsing it: each function takes a start position and returns the end position. */

export function skipComment(bytes: Uint8Array, at: number): number {
  let end = at
  while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) end++
  return end
}

/** Skips a literal or hexadecimal string. An unclosed one extends to the end. */
export function skipString(bytes: Uint8Array, at: number): number {
  if (bytes[at] === 0x3c) {
    const end = bytes.indexOf(0x3e, at)
    return end < 0 ? bytes.length : end + 1
  }
  let open = 0
  for (let end = at; end < bytes.length; end++) {
    const byte = bytes[end]
    if (byte === 0x5c) end++
    else if (byte === 0x28) open++
    else if (byte === 0x29 && --open === 0) return end + 1
  }
  return bytes.length
}

/** Skips an array or dictionary with its contents, and calls `onComment` for each comment inside. */
export function skipContainer(bytes: Uint8Array, at: number, onComment: (start: number, end: number) => void): number {
  let open = 0
  for (let end = at; end < bytes.length; ) {
    const byte = bytes[end]
    const isDouble = bytes[end + 1] === byte
    if (byte === 0x5b) open++
    else if (byte === 0x5d) open--
    else if (byte === 0x3c && isDouble) open++
    else if (byte === 0x3e && isDouble) open--
    else if (byte === 0x28 || byte === 0x3c) {
      end = skipString(bytes, end)
      continue
    } else if (byte === 0x25) {
      const start = end
      end = skipComment(bytes, end)
      onComment(start, end)
      continue
    }
    end += (byte === 0x3c || byte === 0x3e) && isDouble ? 2 : 1
    if (open === 0) return end
  }
  throw new PdfRejectedError('array or dictionary without an end')
}
