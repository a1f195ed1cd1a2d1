import { statfs } from 'node:fs/promises'
import { fail } from '../http/api-error.ts'

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
