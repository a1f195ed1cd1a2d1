/** White space and delimiters of PDF syntax (ISO 32000-1, 7.2.2), looked up by byte. */
const whitespace = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) whitespace[byte] = 1

const delimiters = new Uint8Array(256)
for (const character of '()<>[]{}/%') delimiters[character.charCodeAt(0)] = 1

export const isWhitespace = (byte: number | undefined) => byte !== undefined && whitespace[byte] === 1
/** Part of a number, a name or an operator. False at the end of the bytes. */
export const isRegular = (byte: number | undefined) =>
  byte !== undefined && whitespace[byte] === 0 && delimiters[byte] === 0

/** The value of a hexadecimal digit's byte, or -1. */
export function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 48 && byte <= 57) return byte - 48
  if (byte >= 65 && byte <= 70) return byte - 55
  if (byte >= 97 && byte <= 102) return byte - 87
  return -1
}
