import type { WriteStream } from 'node:tty'
import { restoreArchive } from '../../server/backup/restore-archive.ts'
import { createSteps, sayFaults } from './backup.ts'
import { openArchive } from './open-archive.ts'
import type { WritableStore } from './open-store.ts'

/** Brings back a backup from a file, or from the standard input. @returns whether every file is what it was. */
export async function restore(
  store: WritableStore,
  file: string,
  options: { replace: boolean; signal: AbortSignal },
  out: Pick<WriteStream, 'write' | 'isTTY'>,
): Promise<boolean> {
  const { input, kept } = await openArchive(file)
  const onProgress = createSteps(out, 'Restoring')
  const { madeAt, files, missing, damaged } = await restoreArchive(input, { ...store, ...options, kept, onProgress })
  out.write(`  Restored: everything as it was at ${madeAt}, with ${files} files.\n`)
  return sayFaults(out, { missing, damaged })
}
