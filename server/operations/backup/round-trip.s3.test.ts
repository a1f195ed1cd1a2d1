import { randomBytes } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { expect, inject, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { openPool } from '../../platform/db/pool.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { openSpool } from '../../platform/storage/spool.ts'
import { withStorageIdentity } from '../../platform/storage/storage-identity.ts'
import { onTestEnd } from '../../testing/after-test.ts'
import { openTestApp, openTestAppOn, type TestApp } from '../../testing/app.ts'
import { makeDataFolder, removeDataFolder } from '../../testing/data-folder.ts'
import { createDatabase } from '../../testing/database.ts'
import { createUser } from '../../testing/factories.ts'
import { field, file, goodFields, upload } from '../../testing/form.ts'
import { quietLog } from '../../testing/log.ts'
import { createPdfWithText, pdfOfBytes } from '../../testing/pdf-kinds.ts'
import { makeBucket } from '../../testing/s3.ts'
import { expectNoOrphanedFiles, listStored } from '../../testing/storage-assertions.ts'
import { untilProcessed } from '../../testing/stored-files.ts'
import { restoreArchive } from './restore-archive.ts'
import { verifyFiles } from './verify.ts'
import { writeArchive } from './write-archive.ts'

const onDisk = { S3_ENDPOINT: '', S3_BUCKET: '' }
const quiet = { signal: new AbortController().signal, onProgress: () => {} }

/** Restores everything of a server to an empty database and storage. @returns a server there. */
async function move(from: TestApp, storage: Record<string, string>): Promise<TestApp> {
  const dataDir = await makeDataFolder()
  onTestEnd(() => removeDataFolder(dataDir))
  const databaseUrl = await createDatabase(inject('postgresUrl'), `lectern_moved_${randomBytes(6).toString('hex')}`)
  const files = await openStorage(readConfig({ DATA_DIR: dataDir, ...storage }))
  const spool = await openSpool(`${dataDir}/spool`, quietLog)
  const archive = new PassThrough()
  const { db, files: source } = from.deps
  const writing = { databaseUrl: from.databaseUrl, db, files: source, log: quietLog, version: '0.1.0', ...quiet }
  const [end, restored] = await Promise.all([
    writeArchive(archive, writing),
    restoreArchive(archive, { databaseUrl, files, kept: null, spool, replace: false, ...quiet }),
  ])
  spool.close()
  expect([end.missing, end.damaged, restored.damaged]).toEqual([[], [], []])
  const pool = openPool(databaseUrl, 2, quietLog)
  const verified = await verifyFiles({ db: pool.db, files: withStorageIdentity(files, pool.db), ...quiet })
  await pool.db.destroy()
  expect([verified.missing, verified.damaged, verified.orphans]).toEqual([[], [], []])
  return openTestAppOn({ databaseUrl, mails: [], whereFilesAre: { DATA_DIR: dataDir, ...storage } })
}

it('brings everything from disk to S3, from there to another and back to a disk', async () => {
  const home = await openTestApp(onDisk)
  const user = await createUser(home)
  const anonymously = [...goodFields, field('isAnonymous', 'true'), file(createPdfWithText('one'))]
  const named = [...goodFields, file(createPdfWithText('two')), file(pdfOfBytes(20_000_000))]
  for (const parts of [anonymously, named]) expect((await upload(home, user, parts)).statusCode).toBe(201)
  await untilProcessed(home)
  const { files } = await listStored(home)

  const inS3 = await move(home, await makeBucket())
  const elsewhere = await move(inS3, await makeBucket())
  const back = await move(elsewhere, onDisk)
  for (const test of [inS3, elsewhere, back]) {
    expect((await listStored(test)).files).toEqual(files)
    expect((await test.app.inject({ url: '/readyz' })).statusCode).toBe(200)
    const listed = await test.app.inject({ url: '/api/users/me/notes', headers: user.auth })
    for (const { _id } of listed.json().notes) {
      const view = { url: `/api/notes/${_id}/view`, headers: user.auth }
      const [here, there] = [await home.app.inject(view), await test.app.inject(view)]
      expect(there.statusCode).toBe(200)
      expect(there.rawPayload.equals(here.rawPayload)).toBe(true)
    }
    await expectNoOrphanedFiles(test)
  }
})
