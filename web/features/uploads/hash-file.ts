const chunkBytes = 2 ** 20

/** Returns the SHA-256 of a file in hexadecimal digits, as the server computes it. */
export async function sha256Of(content: ArrayBuffer): Promise<string> {
  // Browsers provide `crypto.subtle` only on https and on localhost.
  const digest = crypto.subtle
    ? new Uint8Array(await crypto.subtle.digest('SHA-256', content))
    : await digestInChunks(content)
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export async function digestInChunks(content: ArrayBuffer): Promise<Uint8Array> {
  const { sha256 } = await import('@noble/hashes/sha2.js')
  const hash = sha256.create()
  for (let from = 0; from < content.byteLength; from += chunkBytes) {
    hash.update(new Uint8Array(content, from, Math.min(chunkBytes, content.byteLength - from)))
    // The pause lets the page handle other events.
    await new Promise((resolve) => setTimeout(resolve))
  }
  return hash.digest()
}
