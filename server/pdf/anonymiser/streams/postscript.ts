import { skipComment, skipString } from '../syntax/skip.ts'

/** A character map or a calculator function without its comments, where programs sign what they wrote. */
export function cleanPostScript(source: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  let copied = 0
  for (let at = 0; at < source.length; ) {
    const byte = source[at]
    if (byte === 0x28) at = skipString(source, at)
    else if (byte === 0x25) {
      parts.push(source.subarray(copied, at), Uint8Array.of(0x20))
      at = skipComment(source, at)
      copied = at
    } else at++
  }
  parts.push(source.subarray(copied))
  return Buffer.concat(parts)
}
