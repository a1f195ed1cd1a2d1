import type { WriteStream } from 'node:tty'
import type { Db } from '../../server/db/pool.ts'
import { adoptStorage } from '../../server/files/own-storage.ts'
import type { FileStorage } from '../../server/files/storage.ts'

/** Takes the storage that is set for the one of the database, whatever it holds. @returns true */
export async function adoptFiles(db: Db, files: FileStorage, out: Pick<WriteStream, 'write'>): Promise<boolean> {
  const marker = await adoptStorage(db, files)
  out.write(`  The files of this database are here from now on (marker ${marker}). See what is there with: verify\n`)
  return true
}
