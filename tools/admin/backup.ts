import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { WriteStream } from 'node:tty'
import { openBackupFolder } from '../../server/backup/backup-folder.ts'
import type { End } from '../../server/backup/format.ts'
import type { Keeping } from '../../server/backup/kept-files.ts'
import { writeArchive } from '../../server/backup/write-archive.ts'
import { syncFolder } from '../../server/sync-folder.ts'
import { version } from '../../server/version.ts'
import { createProgress } from '../progress.ts'
import type { Store } from './open-store.ts'

type Says = Pick<WriteStream, 'write' | 'isTTY'>

/**
 * Writes a backup to a file, which is there when it is whole, to a stream, or to a folder of backups.
 * @param keep how many backups that folder is left with, or undefined for all.
 * @returns whether every file was found as it should be.
 */
export async function backup(
  store: Store,
  target: string,
  { keep, signal }: { keep: string | undefined; signal: AbortSignal },
  out: Says,
): Promise<boolean> {
  const isFolder = target !== '-' && ((await stat(target).catch(() => null))?.isDirectory() ?? false)
  if (keep !== undefined && !(isFolder && /^[1-9]\d*$/.test(keep))) {
    throw new Error('--keep is a number of backups, from 1 on, in a folder that is there.')
  }
  if (/[/\\]$/.test(target) && !isFolder)
    throw new Error(`${target} is not there. A folder for backups is made by you.`)
  const write = (output: Writable, keeping?: Keeping) =>
    writeArchive(output, {
      ...store,
      keeping,
      version,
      signal,
      onProgress: createSteps(out, 'Keeping'),
    })
  if (target === '-') return sayKept(out, await write(process.stdout))
  if (!isFolder) return sayKept(out, await toFile(target, write), target)

  const folder = await openBackupFolder(target, store.log)
  try {
    const path = folder.newPath()
    const isWell = sayKept(out, await toFile(path, (output) => write(output, folder.keeping)), path)
    // What is lost now, older ones may have.
    if (keep !== undefined && isWell) await folder.removeOlder(Number(keep), signal)
    return isWell
  } finally {
    await folder.close()
  }
}

function sayKept(out: Says, { missing, damaged, files, tables }: End, path?: string): boolean {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  out.write(`  Kept: ${rows} rows and ${files} files${path ? ` in ${path}` : ''}.\n`)
  return sayFaults(out, { missing, damaged })
}

async function toFile<T>(file: string, write: (output: Writable) => Promise<T>): Promise<T> {
  const path = resolve(file)
  if (await stat(path).catch(() => null)) throw new Error(`${file} is there already. A backup replaces no file.`)
  const partial = join(dirname(path), `.${basename(path)}.partial`)
  try {
    const result = await write(createWriteStream(partial, { mode: 0o600, flush: true }))
    await rename(partial, path)
    await syncFolder(dirname(path))
    return result
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

const names = { tables: 'tables', files: 'files' }

/** Progress of one kind of thing after the other. */
export function createSteps(out: Says, verb: string) {
  const steps = {
    tables: createProgress(out, `${verb} ${names.tables}`),
    files: createProgress(out, `${verb} ${names.files}`),
  }
  return (what: keyof typeof names, done: number, total: number) => steps[what](done, total)
}

const mostNamed = 20

/** @returns whether there are none. */
export function sayFaults(
  out: Pick<WriteStream, 'write'>,
  { missing, damaged }: Pick<End, 'missing' | 'damaged'>,
): boolean {
  const say = (what: string, keys: string[]) => {
    if (keys.length === 0) return
    const more = keys.length > mostNamed ? ` and ${keys.length - mostNamed} more` : ''
    out.write(`  ${what}: ${keys.slice(0, mostNamed).join(', ')}${more}\n`)
  }
  say('Files that are missing', missing)
  say('Files that are not what they were when they came', damaged)
  return missing.length + damaged.length === 0
}
