import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/**
 * Makes a new DATA_DIR, with a space in its name because real folders have spaces. PostgreSQL's account can traverse
 * it.
 */
export async function makeDataFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'lectern test '))
  await chmod(folder, 0o711)
  return folder
}

/** Makes a folder that is removed after the current test, or after the last test of the file. */
export async function makeTestFolder(): Promise<string> {
  const folder = await makeDataFolder()
  onTestEnd(() => removeDataFolder(folder))
  return folder
}

/** Also removes the database files, which are elsewhere when PostgreSQL's account cannot reach the folder. */
export async function removeDataFolder(folder: string): Promise<void> {
  const cluster = await realpath(join(folder, 'postgres')).catch(() => null)
  if (cluster) await rm(cluster, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}

/** Runs `end` after the current test, or after the last test of the file when called outside a test. */
export function onTestEnd(end: () => unknown): void {
  const hook = async () => void (await end())
  try {
    onTestFinished(hook)
  } catch {
    // `onTestFinished` throws outside a test.
    afterAll(hook)
  }
}
