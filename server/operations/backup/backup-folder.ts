import { createReadStream } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { acquireLock, LockHeldError } from '../../platform/embedded-postgres/file-lock.ts'
import { describeError, type Log } from '../../platform/observability/log.ts'
import { openDiskStorage, syncFolder } from '../../platform/storage/disk.ts'
import { openSpool } from '../../platform/storage/spool.ts'
import { fileName, keptFolder, readFileName } from './format.ts'
import { readArchive, readList, readManifest } from './read-archive.ts'

/** A backup that was refused before it wrote anything. */
export class BackupRefusedError extends Error {
  override name = 'BackupRefusedError'
}

const ownName = /^lectern-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z\.tar$/

/**
 * Opens a folder with archives of different times, and the files of all archives beside them, each stored once. Locks it
 * against others. Remains of a killed backup are removed.
 */
export async function openBackupFolder(folder: string, log: Log) {
  const kept = await openDiskStorage(keptFolder(folder))
  const lock = await acquireLock(join(keptFolder(folder), 'lock')).catch((error) => {
    if (!(error instanceof LockHeldError)) throw error
    throw new BackupRefusedError(`Another backup to ${folder} is in progress (process ${error.pid ?? 'unknown'}).`)
  })
  for (const name of await readdir(folder)) {
    if (name.startsWith('.lectern-') && name.endsWith('.partial')) await rm(join(folder, name))
  }
  const spool = await openSpool(join(keptFolder(folder), 'spool'), log)
  const incoming = await spool.openFolder()
  return {
    filePool: { kept, incoming },
    /** The path of a backup that is made now. */
    newPath: () => join(folder, `lectern-${new Date().toISOString().replaceAll(/[:.]/g, '-')}.tar`),

    /**
     * Keeps this many backups up to the one just written, and the files of all that remain.
     * @returns the names that sort after it because of a wrong clock; these backups are kept too.
     */
    async removeOlder(written: string, count: number, signal: AbortSignal): Promise<string[]> {
      const archives = (await readdir(folder)).filter((name) => name.endsWith('.tar'))
      const ours = archives.filter((name) => ownName.test(name)).sort()
      const later = ours.filter((name) => name > basename(written))
      const older = ours.slice(0, ours.length - later.length).slice(0, -count)
      const wanted = new Set<string>()
      for (const name of archives.filter((name) => !older.includes(name))) {
        for await (const file of listFiles(join(folder, name), signal)) wanted.add(file)
      }
      for (const name of older) await rm(join(folder, name))
      await syncFolder(folder)
      for await (const name of kept.list()) if (readFileName(name) && !wanted.has(name)) await kept.delete(name)
      return later
    },

    async [Symbol.asyncDispose]() {
      await incoming.remove()
      spool.close()
      await lock.release()
    },
  }
}

/** Lists the files that an archive needs beside it. */
async function* listFiles(path: string, signal: AbortSignal): AsyncGenerator<string> {
  try {
    for await (const { kind, content } of readArchive(createReadStream(path), signal)) {
      if (kind === 'manifest') await readManifest(content)
      else if (kind !== 'list') return
      else for (const { key, sha256 } of await readList(content)) yield fileName(key, sha256)
    }
  } catch (error) {
    if (signal.aborted) throw error
    throw new Error(`Older backups were kept, because ${path} can’t be read: ${describeError(error)}`, {
      cause: error,
    })
  }
}
