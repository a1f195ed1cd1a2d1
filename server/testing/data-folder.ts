import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A fresh DATA_DIR, with a space in its name because folders have such. PostgreSQL's account may pass through it. */
export async function makeDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern test '))
  await chmod(folder, 0o711)
  return folder
}

/** With the database files, which stand elsewhere when PostgreSQL's account cannot reach the folder. */
export async function removeDataFolder(folder: string): Promise<void> {
  const cluster = await realpath(join(folder, 'postgres')).catch(() => null)
  if (cluster) await rm(cluster, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}
