import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openDiskStorage } from '../platform/storage/disk.ts'
import { openSpool } from '../platform/storage/spool.ts'
import { makeTestFolder, onTestEnd } from './data-folder.ts'
import { createDatabase, dropDatabase } from './database.ts'
import { quietLog } from './log.ts'

/** Creates an empty database and folder, to which a backup can be restored. */
export async function openRestoreTarget() {
  const dataDir = await makeTestFolder()
  const name = `lectern_restored_${randomBytes(6).toString('hex')}`
  const databaseUrl = await createDatabase(inject('postgresUrl'), name)
  onTestEnd(() => dropDatabase(inject('postgresUrl'), name))
  const files = await openDiskStorage(join(dataDir, 'files'))
  const spool = await openSpool(join(dataDir, 'spool'), quietLog)
  onTestEnd(() => spool.close())
  return { dataDir, databaseUrl, files, spool }
}
