import { open } from 'node:fs/promises'

/** Makes a rename in a folder durable: a power cut could otherwise lose the new name. Windows has no such call. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
