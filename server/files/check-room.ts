import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A note of usual size. Where not even that has room, uploads are refused. */
const probe = Buffer.alloc(2 ** 20)

/** Rejects when nothing can be written to a folder: writing tells of quotas and rights as well as of a full disk. */
export async function checkRoom(folder: string): Promise<void> {
  const path = join(folder, `probe-${randomUUID()}`)
  try {
    await writeFile(path, probe, { flag: 'wx', mode: 0o600 })
  } finally {
    await rm(path, { force: true })
  }
}
