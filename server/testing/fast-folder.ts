import { readdir, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** A run of the tests uses a fraction of this. */
const minFreeBytes = 4 * 2 ** 30
const dayMs = 24 * 3600 * 1000

/**
 * Returns a folder in memory if there is enough room, else the folder for temporary files. A database is copied several
 * times as fast in memory as on a disk.
 */
export async function findFastFolder(): Promise<string> {
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  if (Math.min(free, process.availableMemory()) < minFreeBytes) return tmpdir()
  await removeLeftovers()
  return memory
}

/** Removes the folders of runs that were killed a day ago or earlier, because memory is freed by nothing else. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(memory)) {
    if (!/^lectern[ -]/.test(name)) continue
    const folder = join(memory, name)
    // Another run may remove it at the same time, and another user's folder cannot be removed.
    const info = await stat(folder).catch(() => null)
    if (info && info.mtimeMs < Date.now() - dayMs) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}
