import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, rmdir, stat, statfs, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate, setTimeout } from 'node:timers/promises'
import PQueue from 'p-queue'
import { fail } from '../http/api-error.ts'
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

/** A folder on a local disk. `takesUploads`: uploads are written there. `isSpool`: only uploads are. */
type Folder = { path: string; takesUploads: boolean; isSpool?: boolean }

export type DiskSpace = {
  /**
   * @throws storage_full when a volume is below its minimum free space. Uploads in progress do not count, because a
   *   slow one would block everything.
   */
  assertFree(): Promise<void>
  /**
   * Reserves what an upload may write, in addition to uploads in progress. @returns a function that releases it.
   * @throws storage_full, and busy when all uploads together would exceed the spool limit
   */
  reserve(bytes: number): Promise<() => void>
}

const megabyte = 2 ** 20
const minFreeShare = 0.05
const [leastFreeBytes, mostFreeBytes] = [256 * megabyte, 1024 * megabyte]

/**
 * Refuses writes before a volume is full: PostgreSQL ends on a full volume, and with it reads, logins and deletions.
 */
export function createDiskSpace(
  folders: Folder[],
  { minFreeMb, maxSpoolMb }: { minFreeMb: number | null; maxSpoolMb: number },
): DiskSpace {
  const storing = folders.filter(({ isSpool }) => !isSpool)
  let reservedBytes = 0

  async function assertFreeBeside(folders: Folder[], uploadBytes: number): Promise<void> {
    for (const { path, takesUploads } of folders) {
      // A missing or unmounted folder fails later, when it is written to.
      const volume = await statfs(path).catch(() => null)
      if (!volume) continue
      const share = volume.blocks * volume.bsize * minFreeShare
      const minBytes =
        minFreeMb === null ? Math.min(Math.max(share, leastFreeBytes), mostFreeBytes) : minFreeMb * megabyte
      const freeBytes = volume.bavail * volume.bsize - (takesUploads ? uploadBytes : 0)
      if (freeBytes < minBytes)
        fail('storage_full', { cause: `less than ${Math.round(minBytes / megabyte)} MB free in ${path}` })
    }
  }

  return {
    assertFree: () => assertFreeBeside(storing, 0),
    async reserve(bytes) {
      if (reservedBytes > 0 && reservedBytes + bytes > maxSpoolMb * megabyte) fail('busy', { retryAfterSeconds: 10 })
      let isReserved = true
      reservedBytes += bytes
      const release = () => {
        if (isReserved) reservedBytes -= bytes
        isReserved = false
      }
      try {
        await assertFreeBeside(folders, reservedBytes)
      } catch (error) {
        release()
        throw error
      }
      return release
    },
  }
}
