import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The probe is as large as a typical note. When it does not fit, uploads are refused. */
const probe = Array<Buffer>(16).fill(Buffer.alloc(2 ** 16))

/** Rejects when a folder cannot be written to. Writing detects quotas and missing permissions as well as full disks. */
export async function assertWritable(folder: string): Promise<void> {
  // With one fixed name, crashed processes leave at most one file.
  const path = join(folder, 'probe')
  try {
    await writeFile(path, probe, { mode: 0o600 })
  } finally {
    await rm(path, { force: true })
  }
}

/** Runs one check at a time; callers in the meantime share its result. */
export function singleFlight(check: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => {
    running ??= check().finally(() => {
      running = null
    })
    return running
  }
}
