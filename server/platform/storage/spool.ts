import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate, setTimeout } from 'node:timers/promises'
import PQueue from 'p-queue'
import type { Log } from '../observability/log.ts'
import { assertWritable, type SpooledFile, singleFlight } from './storage.ts'

const tidyEveryMs = 60_000
/** A file of up to this size is over soon, so it never waits for other requests. */
const unpausedBytes = 4 * 2 ** 20
/** A folder that is not touched for this long belongs to a server that died. */
const staleMs = 5 * 60_000

/** The files of one request. */
export type SpoolFolder = {
  /** Writes a stream to a new file. When the stream fails, the rest is deleted with the folder. */
  write(content: Readable): Promise<SpooledFile>
  /** Returns an unused path for another file. */
  newPath(): string
  /**
   * Deletes the folder and its files, and stops writes in progress. Never rejects: the next cleanup deletes what
   * remains.
   */
  remove(): Promise<void>
}

/** Keeps files on the local disk until the storage has them. */
export type Spool = {
  openFolder(): Promise<SpoolFolder>
  /** Rejects when nothing can be written there at the moment. */
  check(): Promise<void>
  close(): void
}

/** Deletes what dead servers left, immediately and then every minute. Several servers may share the folder. */
export async function openSpool(root: string, log: Log): Promise<Spool> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const open = new Set<string>()
  const warn = (error: unknown) => log.warn({ err: error }, 'Couldn’t clean up the spool folder')
  const deleteStaleFolders = async () => {
    const now = await readDiskClock(root)
    // One folder may be deleted meanwhile; the others still need a new timestamp.
    await Promise.allSettled([...open].map((folder) => utimes(folder, now, now)))
    await removeStale(root, now)
  }
  // A full disk may have space again later.
  await deleteStaleFolders().catch(warn)
  const timer = setInterval(() => void deleteStaleFolders().catch(warn), tidyEveryMs).unref()

  return {
    async openFolder() {
      const folder = join(root, randomUUID())
      await mkdir(folder, { mode: 0o700 })
      open.add(folder)
      const newPath = () => join(folder, randomUUID())
      const closing = new AbortController()
      const writes: Promise<unknown>[] = []
      return {
        newPath,
        write(content) {
          const written = writeFile(newPath(), content, closing.signal)
          writes.push(written)
          return written
        },
        async remove() {
          open.delete(folder)
          closing.abort()
          await Promise.allSettled(writes)
          // A file that is just being opened may appear while its folder is emptied.
          await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).catch(warn)
        },
      }
    },
    check: singleFlight(() => assertWritable(root)),
    close: () => clearInterval(timer),
  }
}

async function writeFile(path: string, content: Readable, signal: AbortSignal): Promise<SpooledFile> {
  const hash = createHash('sha256')
  let bytes = 0
  await pipeline(
    content,
    async function* count(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        if (bytes > unpausedBytes) await waitForChunkSlot()
        bytes += chunk.length
        hash.update(chunk)
        yield chunk
      }
    },
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    { signal },
  )
  return { path, bytes, sha256: hash.digest() }
}

/** Returns the time of the disk, because servers that share it may have different clocks. */
async function readDiskClock(root: string): Promise<Date> {
  const probe = await mkdtemp(join(root, 'clock-'))
  try {
    return (await stat(probe)).mtime
  } finally {
    await rmdir(probe)
  }
}

async function removeStale(root: string, now: Date): Promise<void> {
  for (const name of await readdir(root)) {
    const folder = join(root, name)
    // Another server may have deleted it meanwhile.
    const found = await stat(folder).catch(() => null)
    if (found && now.getTime() - found.mtimeMs > staleMs) await rm(folder, { recursive: true, force: true })
  }
}

/** Timers count whole milliseconds, so short pauses are accumulated. */
const minRestMs = 4
/** Limits the pause after an iteration that was delayed by other work. */
const maxRestMs = 20

const oneByOne = new PQueue({ concurrency: 1 })
let owedRestMs = 0

/**
 * Yields to other work before each upload chunk: only one chunk is handled per event-loop iteration. Otherwise each
 * iteration would handle a chunk of every upload before it answers any other request. While several uploads wait, they
 * pause as long as their iterations take, so that together they use half of the event loop; a single upload may use all
 * of it.
 */
export const waitForChunkSlot = (): Promise<void> => oneByOne.add(takeRound)

async function takeRound(): Promise<void> {
  const startedAt = performance.now()
  await setImmediate()
  if (oneByOne.size === 0) return
  owedRestMs += performance.now() - startedAt
  if (owedRestMs < minRestMs) return
  const restMs = Math.min(owedRestMs, maxRestMs)
  owedRestMs = 0
  await setTimeout(restMs)
}
