const header = /\/FlateDecode(?:(?!\bobj\b)[\s\S]){0,500}?\bstream\r?\n/g
const end = /\r?\n?endstream/g
const zlibHeaderBytes = 2
const limitMs = 5_000

/** Whether compressed data of a PDF is unreadable, because that part of the file was overwritten or cut off. */
export async function hasBrokenStream(bytes: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const text = new TextDecoder('latin1').decode(bytes)
  // Encrypted data would look like broken data.
  if (text.includes('/Encrypt')) return false
  for (const { index, 0: found } of text.matchAll(header)) {
    const start = index + found.length
    end.lastIndex = start
    const stop = end.exec(text)?.index ?? bytes.length
    if (!(await canInflate(bytes.subarray(start + zlibHeaderBytes, stop)))) return true
  }
  return false
}

/** PDF readers accept extra bytes after the data, so this check does too. */
const canInflate = (data: Uint8Array<ArrayBuffer>): Promise<boolean> =>
  new Blob([data])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .pipeTo(new WritableStream(), { signal: AbortSignal.timeout(limitMs) })
    .then(
      () => true,
      (failure) => failure.name === 'TimeoutError' || /junk|after/i.test(String(failure)),
    )
