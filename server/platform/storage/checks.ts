import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Together a note of usual size. Where not even that has room, uploads are refused. */
const probe = Array<Buffer>(16).fill(Buffer.alloc(2 ** 16))

/** Rejects when nothing can be written to a folder: writing tells of quotas and rights as well as of a full disk. */
export async function assertWritable(folder: string): Promise<void> {
  // One name, so that no number of processes that died leaves more than one.
  const path = join(folder, 'probe')
  try {
    await writeFile(path, probe, { mode: 0o600 })
  } finally {
    await rm(path, { force: true })
  }
}

/** One check at a time: whoever asks meanwhile is told what comes of it. */
export function singleFlight(check: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= check().finally(() => {
      running = null
    })
    return running
  }
}
