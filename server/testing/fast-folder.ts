import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** A database is copied several times as fast in memory as on a disk. A run of the tests uses a fraction of this. */
const bytesInMemory = 4 * 2 ** 30

/** Returns a folder in memory if one has enough room, else the folder for temporary files. */
export async function findFastFolder(): Promise<string> {
  const free = await statfs('/dev/shm').then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free >= bytesInMemory ? '/dev/shm' : tmpdir()
}
