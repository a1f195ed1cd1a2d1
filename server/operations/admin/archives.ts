import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { adoptSecret, isOwnSecret, lostWithSecret } from '../../platform/db/secret.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import { findFilePool, keptPath } from '../backup/file-pool.ts'
import { verifyArchive } from '../backup/read-archive.ts'
import { restoreArchive } from '../backup/restore-archive.ts'
import { verifyFiles } from '../backup/verify.ts'
import { createSteps, printFaults } from './backup.ts'
import { createProgress, type Output } from './command-line.ts'
import type { Store, WritableStore } from './open-store.ts'

/** Opens a backup file with the file pool beside it, or the standard input. */
async function openArchive(file: string): Promise<{ input: Readable; kept: FileStorage | null }> {
  if (file === '-') return { input: process.stdin, kept: null }
  if ((await stat(file)).isDirectory()) throw new Error(`${file} is a folder. Specify one of its archives.`)
  return { input: createReadStream(file, { highWaterMark: 2 ** 20 }), kept: await findFilePool(dirname(file)) }
}

/** Restores a backup from a file or the standard input. @returns whether every file is intact. */
export async function restore(
  store: WritableStore,
  file: string,
  options: { replace: boolean; signal: AbortSignal },
  out: Output,
): Promise<boolean> {
  const { input, kept } = await openArchive(file)
  const onProgress = createSteps(out, 'Restoring')
  const { madeAt, files, missing, damaged } = await restoreArchive(input, { ...store, ...options, kept, onProgress })
  if (!(await isOwnSecret(store.db, store.secret))) {
    await adoptSecret(store.db, store.secret)
    out.write(
      `  SECRET doesn’t match the one of the backup. ${lostWithSecret} To avoid this, restore with that SECRET.\n`,
    )
  }
  out.write(`  Restored the backup of ${madeAt} with ${files} files.\n`)
  return printFaults(out, { missing, damaged })
}

const mostNamed = 50

/** Compares files with the hashes in the database. @returns whether all are intact. */
export async function verify(store: Store, signal: AbortSignal, out: Output): Promise<boolean> {
  const onProgress = createProgress(out, 'Checking files')
  const { files, missing, damaged, orphans } = await verifyFiles({ ...store, signal, onProgress })
  const ofNote = ({ key, noteId }: (typeof missing)[0]) => `${key} of note ${noteId ?? '(none)'}`
  printList(out, 'Missing files', missing.map(ofNote))
  printList(out, 'Corrupted files', damaged.map(ofNote))
  printList(out, 'Orphaned files', orphans)
  const faults = missing.length + damaged.length + orphans.length
  out.write(`  ${files} files checked, ${faults === 0 ? 'no problems' : `${faults} problems`}.\n`)
  return faults === 0
}

function printList(out: Output, what: string, names: string[]): void {
  if (names.length === 0) return
  out.write(`  ${what}: ${names.length}\n`)
  for (const name of names.slice(0, mostNamed)) out.write(`    ${name}\n`)
  if (names.length > mostNamed) out.write(`    … and ${names.length - mostNamed} more\n`)
}

/** Reads a backup to its end. @returns whether all of it could be restored. */
export async function verifyBackup(file: string, signal: AbortSignal, out: Output): Promise<boolean> {
  const { input, kept } = await openArchive(file)
  const onProgress = createProgress(out, 'Checking files')
  const { madeAt, whole, corruptPoolFiles, ...faults } = await verifyArchive(input, { kept, signal, onProgress })
  const isWell = printFaults(out, faults)
  const paths = corruptPoolFiles.map((one) => keptPath(dirname(file), one))
  printList(out, 'Delete these corrupted files; the next backup writes them again', paths)
  if (isWell) out.write(`  Backup of ${madeAt} is intact: all rows and ${whole} files.\n`)
  else out.write(`  The rest of the backup of ${madeAt} is intact: all rows and ${whole} files.\n`)
  return isWell
}
