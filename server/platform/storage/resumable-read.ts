import type { Readable } from 'node:stream'
import { StorageUnavailableError } from './storage-unavailable.ts'

const mostBreaks = 3

/**
 * A body from a store, gone on with from where it broke off. Time counts only while the store is waited for: who reads may
 * be as slow as they like.
 * @param goOn opens it again behind so many bytes; null where it is gone by now.
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
      if (++breaks > mostBreaks)
        throw new StorageUnavailableError('The store of S3_ENDPOINT does not give a file to its end.')
      body.destroy()
      const next = await goOn(done)
      if (!next) throw new StorageUnavailableError('A file was removed from S3_BUCKET while it was read.')
      body = heard(next)
    }
  } finally {
    body.destroy()
  }
}

/** Between two chunks nobody else listens, and an error would end the process. */
const heard = (body: Readable): Readable => body.on('error', () => {})

/** Null where the body ends, breaks off or stands still. */
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
