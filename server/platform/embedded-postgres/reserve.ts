import { open, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../observability/log.ts'

const megabyte = 2 ** 20
const reserveBytes = 64 * megabyte
/** PostgreSQL writes its log in files of 16 MB, and ends when it cannot write the next. */
const criticalBytes = 32 * megabyte
const checkEveryMs = 1_000

/**
 * Keeps a file beside the database and deletes it when the volume is almost full, so that PostgreSQL can start again
 * and users can delete notes. It is created again when the volume has several times its size free.
 * @returns a function that stops checking.
 */
export async function keepReserve(folder: string, log: Log): Promise<() => void> {
  const path = join(folder, 'reserve')

  async function check(): Promise<void> {
    const { bavail, bsize } = await statfs(folder)
    const freeBytes = bavail * bsize
    const exists = await stat(path).then(
      ({ size }) => size === reserveBytes,
      () => false,
    )
    if (exists && freeBytes < criticalBytes) {
      await rm(path)
      log.error(
        `No space left on the disk of ${folder}. Deleted ${path} so that PostgreSQL can run. Free up space now.`,
      )
    } else if (!exists && freeBytes > 8 * reserveBytes) await fill(path)
  }

  const report = (error: unknown) => log.warn({ err: error }, `Couldn’t create the reserve ${path}`)
  await check().catch(report)
  const timer = setInterval(() => void check().catch(report), checkEveryMs).unref()
  return () => clearInterval(timer)
}

/** Writes all bytes instead of setting the size, because file systems allocate blocks only for written bytes. */
async function fill(path: string): Promise<void> {
  await using file = await open(path, 'w', 0o600)
  const chunk = Buffer.alloc(megabyte, 0xa5)
  for (let bytes = 0; bytes < reserveBytes; bytes += megabyte) await file.write(chunk)
}
