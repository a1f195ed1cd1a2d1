import { createReadStream } from 'node:fs'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { saveBackupResult } from '../../features/administration/attention/attention.ts'
import type { Db } from '../../platform/db/pool.ts'
import { adoptSecret, isOwnSecret, lostWithSecret } from '../../platform/db/secret.ts'
import { describeError, hasCode, type Log } from '../../platform/observability/log.ts'
import { syncFolder } from '../../platform/storage/disk.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import { BackupRefusedError, openBackupFolder } from '../backup/backup-folder.ts'
import { type End, type FilePool, findFilePool, keptPath } from '../backup/format.ts'
import { verifyArchive } from '../backup/read-archive.ts'
import { restoreArchive } from '../backup/restore-archive.ts'
import { verifyFiles } from '../backup/verify.ts'
import { writeArchive } from '../backup/write-archive.ts'
import { countOf, createProgress, type Output, UsageError } from './command-line.ts'
import type { Store, WritableStore } from './open-store.ts'

type Write = (output: Writable, filePool?: FilePool) => Promise<End>
type Options = { keep: string | undefined; dataDir: string; signal: AbortSignal }

/**
 * Writes a backup to a stream, to a folder of backups, or to a file, which appears only when it is complete.
 * @param keep how many backups the folder keeps, or undefined for all.
 * @returns whether every file was intact.
 */
export async function backup(store: Store, target: string, options: Options, out: Output): Promise<boolean> {
  const { keep, signal } = options
  const isFolder = target !== '-' && ((await stat(target).catch(() => null))?.isDirectory() ?? false)
  if (keep !== undefined && !(isFolder && /^[1-9]\d*$/.test(keep))) {
    throw new UsageError('--keep needs a number of 1 or more and an existing folder.')
  }
  if (/[/\\]$/.test(target) && !isFolder) throw new Error(`${target} doesn’t exist. Create the folder first.`)
  if (isFolder) await assertOutside(options.dataDir, target)
  const write: Write = (output, filePool) =>
    writeArchive(output, { ...store, filePool, signal, onProgress: createSteps(out, 'Backing up') })
  try {
    if (target === '-') return printSummary(out, await write(process.stdout))
    if (!isFolder) return printSummary(out, await toFile(target, write), target)
    return await toFolder(target, write, options, store.log, out)
  } catch (error) {
    // The backup is the only thing that is written here, so the full disk is its own.
    if (!hasCode(error, 'ENOSPC')) throw error
    const name = target === '-' ? 'the standard output' : target
    throw new Error(`No space left on the disk of ${name} (${describeError(error)}).`, { cause: error })
  }
}

/** Records the result of a backup for the list of problems, unless the operator mistyped or interrupted it. */
export async function recordBackup(db: Db, signal: AbortSignal, run: () => Promise<boolean>): Promise<boolean> {
  try {
    const isWell = await run()
    await saveBackupResult(db, isWell ? null : 'some files are missing or damaged.')
    return isWell
  } catch (error) {
    const isOfOperator = signal.aborted || error instanceof UsageError || error instanceof BackupRefusedError
    // The database itself may have failed.
    if (!isOfOperator) await saveBackupResult(db, describeError(error)).catch(() => {})
    throw error
  }
}

/** A failure of DATA_DIR would also lose the backups, and the server uses its own names there. */
async function assertOutside(dataDir: string, folder: string): Promise<void> {
  const outer = await realpath(dataDir).catch(() => resolve(dataDir))
  if (!`${await realpath(folder)}${sep}`.startsWith(`${outer}${sep}`)) return
  const text = `${folder} is inside DATA_DIR (${dataDir}). Use another folder, ideally on another disk.`
  throw new BackupRefusedError(text)
}

async function toFolder(
  path: string,
  write: Write,
  { keep, signal }: Options,
  log: Log,
  out: Output,
): Promise<boolean> {
  await using folder = await openBackupFolder(path, log)
  const archive = folder.newPath()
  const isWell = printSummary(out, await toFile(archive, (output) => write(output, folder.filePool)), archive)
  // Older backups may still have files that are missing or damaged now, so they are kept.
  if (keep === undefined || !isWell) return isWell
  printNamed(out, 'Ignored backups dated in the future', await folder.removeOlder(archive, Number(keep), signal))
  return true
}

function printSummary(out: Output, { missing, damaged, files, tables }: End, path?: string): boolean {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  out.write(`  Backed up ${countOf(rows, 'row')} and ${countOf(files, 'file')}${path ? ` in ${path}` : ''}.\n`)
  return printFaults(out, { missing, damaged })
}

async function toFile<T>(file: string, write: (output: Writable) => Promise<T>): Promise<T> {
  const path = resolve(file)
  if (await stat(path).catch(() => null))
    throw new BackupRefusedError(`${file} already exists. Backups never overwrite files.`)
  const partial = join(dirname(path), `.${basename(path)}.partial`)
  const opened = await openNew(partial, file)
  try {
    const result = await write(opened.createWriteStream({ flush: true }))
    await rename(partial, path)
    await syncFolder(dirname(path))
    return result
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Refuses to write to the partial file of another backup. */
async function openNew(partial: string, file: string): Promise<FileHandle> {
  return open(partial, 'wx', 0o600).catch((error) => {
    if (hasCode(error, 'EEXIST')) {
      const advice = `If none is running, delete ${partial}.`
      throw new BackupRefusedError(`Another backup to ${file} is running, or was killed. ${advice}`)
    }
    const advice = 'Choose an existing folder owned by the user Lectern runs as.'
    throw new Error(`Can’t write ${file} (${describeError(error)}). ${advice}`, { cause: error })
  })
}

/** Shows the progress of tables and then of files. */
function createSteps(out: Output, verb: string) {
  const steps = { tables: createProgress(out, `${verb} tables`), files: createProgress(out, `${verb} files`) }
  return (what: keyof typeof steps, done: number, total: number) => steps[what](done, total)
}

const mostInLine = 20

/** @returns whether there are no faults. */
function printFaults(out: Output, { missing, damaged }: Pick<End, 'missing' | 'damaged'>): boolean {
  printNamed(out, 'Missing files', missing)
  printNamed(out, 'Corrupted files', damaged)
  return missing.length + damaged.length === 0
}

function printNamed(out: Output, what: string, names: string[]): void {
  if (names.length === 0) return
  const more = names.length > mostInLine ? ` and ${names.length - mostInLine} more` : ''
  out.write(`  ${what}: ${names.slice(0, mostInLine).join(', ')}${more}\n`)
}

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
  out.write(`  Restored the backup of ${madeAt} with ${countOf(files, 'file')}.\n`)
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
  out.write(`  ${countOf(files, 'file')} checked, ${faults === 0 ? 'no problems' : countOf(faults, 'problem')}.\n`)
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
  const all = `all rows and ${countOf(whole, 'file')}`
  if (isWell) out.write(`  Backup of ${madeAt} is intact: ${all}.\n`)
  else out.write(`  The rest of the backup of ${madeAt} is intact: ${all}.\n`)
  return isWell
}
