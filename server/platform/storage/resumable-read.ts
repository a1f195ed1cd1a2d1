import type { Readable } from 'node:stream'
import { StorageUnavailableError } from './storage-unavailable.ts'

const maxResumes = 3

/**
 * Reads a body from a store and resumes it where it broke off. The timeout runs only while the store is awaited, so the
 * reader may be slow.
 * @param goOn opens the body again after `done` bytes; null when the file no longer exists.
 */
export async function* readWithResume(
  first: Readable,
  bytes: number,
  stallMs: number,
  goOn: (done: number) => Promise<Readable | null>,
): AsyncGenerator<Buffer> {
  let body = heard(first)
  let done = 0
  try {
    for (let breaks = 0; done < bytes; ) {
      const chunk = await nextChunk(body, stallMs)
      if (chunk) {
        done += chunk.length
        yield chunk
        continue
      }
      if (++breaks > maxResumes)
        throw new StorageUnavailableError('S3_ENDPOINT keeps interrupting the download of a file.')
      body.destroy()
      const next = await goOn(done)
      if (!next) throw new StorageUnavailableError('A file was deleted from S3_BUCKET while it was read.')
      body = heard(next)
    }
  } finally {
    body.destroy()
  }
}

/** Between two chunks there is no other listener, and an error would end the process. */
const heard = (body: Readable): Readable => body.on('error', () => {})

/** Resolves to null when the body ends, breaks off or stalls. */
async function nextChunk(body: Readable, stallMs: number): Promise<Buffer | null> {
  const ready = body.read()
  if (ready) return ready
  if (body.readableEnded || body.destroyed) return null
  const { promise, resolve } = Promise.withResolvers<void>()
  const events = ['readable', 'end', 'close', 'error']
  for (const event of events) body.once(event, resolve)
  const timer = setTimeout(resolve, stallMs)
  await promise
  clearTimeout(timer)
  for (const event of events) body.off(event, resolve)
  return body.read()
}
