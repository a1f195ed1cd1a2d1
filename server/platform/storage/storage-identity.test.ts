import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createNote, createUser, openTestApp, openTestAppOn, type TestApp } from '../../testing/app.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { file, goodFields, upload } from '../../testing/form.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { countNotes, expectNoOrphanedFilesAfterSweep, listStored } from '../../testing/storage-assertions.ts'
import { documentOf } from '../../testing/stored-files.ts'
import { openDiskStorage } from './disk.ts'
import { adoptStorage, withStorageIdentity } from './open-storage.ts'

const test = await openTestApp()
const { db } = test.deps
const owner = await createUser(test)
const noteId = await createNote(test, owner)
const openFolder = async () => openDiskStorage(await makeTestFolder())
const notOurs = 'doesn’t contain the files of this database'

it('a server whose DATA_DIR is another reports it, and stores, reads and deletes no file; the others continue', async () => {
  const { databaseUrl, mails } = test
  const other = await openTestAppOn({ databaseUrl, mails })
  const view = { url: `/api/notes/${noteId}/view`, headers: owner.auth }
  expect((await other.app.inject({ url: '/readyz' })).json().parts.storage).toBe('failed')
  expect((await other.app.inject({ url: '/healthz' })).statusCode).toBe(200)
  expectRefusal(await other.app.inject(view), 'unavailable')
  expectRefusal(await upload(other, owner, [...goodFields, file()]), 'unavailable')
  expect(await countNotes(test, owner.id)).toBe(1)
  const doomed = await createNote(test, owner)
  const { file_key } = await documentOf(test, doomed)
  const gone = await other.app.inject({ method: 'DELETE', url: `/api/users/me/notes/${doomed}`, headers: owner.auth })
  expect(gone.statusCode).toBe(204)
  expect((await listStored(test)).files).toContain(file_key)
  await expectNoOrphanedFilesAfterSweep(test)
  expect((await test.app.inject({ url: '/readyz' })).json().status).toBe('ok')
  expect((await test.app.inject(view)).statusCode).toBe(200)
})

it('notices that its files are no longer there, as a disk that is not mounted, and that they are again', async () => {
  const away = await openTestApp({ S3_BUCKET: '', S3_ENDPOINT: '' })
  const user = await createUser(away)
  const url = `/api/notes/${await createNote(away, user)}/view`
  const { dataDir } = away.deps.config
  const [folder, elsewhere] = [join(dataDir, 'files'), join(dataDir, 'elsewhere')]
  await rename(folder, elsewhere)
  await mkdir(join(folder, 'incoming'), { recursive: true })
  expect((await away.app.inject({ url: '/readyz' })).json().parts.storage).toBe('failed')
  expectRefusal(await away.app.inject({ url, headers: user.auth }), 'unavailable')
  await rm(folder, { recursive: true })
  await rename(elsewhere, folder)
  expect((await away.app.inject({ url, headers: user.auth })).statusCode).toBe(200)
  expect((await away.app.inject({ url: '/readyz' })).json().status).toBe('ok')
})

/** Opens a database whose storage was never checked. */
async function openFresh(): Promise<TestApp> {
  const fresh = await openTestApp()
  await fresh.deps.db.deleteFrom('storage_identity').execute()
  return fresh
}

it('the first look of several simultaneous servers is one', async () => {
  const fresh = await openFresh()
  const files = await openFolder()
  await Promise.all([1, 2, 3].map(() => withStorageIdentity(files, fresh.deps.db).check()))
  const { marker } = await fresh.deps.db.selectFrom('storage_identity').select('marker').executeTakeFirstOrThrow()
  expect(await files.readMarker()).toBe(marker)
})

it('the first look takes what a start that died has written', async () => {
  const fresh = await openFresh()
  const [files, marker] = [await openFolder(), randomUUID()]
  await files.writeMarker(marker)
  await withStorageIdentity(files, fresh.deps.db).check()
  expect(await fresh.deps.db.selectFrom('storage_identity').select('marker').execute()).toEqual([{ marker }])
})

it('the first look takes no storage that has none of the files', async () => {
  const fresh = await openFresh()
  await createNote(fresh, await createUser(fresh))
  await fresh.deps.db.deleteFrom('storage_identity').execute()
  await expect(withStorageIdentity(await openFolder(), fresh.deps.db).check()).rejects.toThrow(notOurs)
  expect(await fresh.deps.db.selectFrom('storage_identity').selectAll().execute()).toEqual([])
  await withStorageIdentity(fresh.deps.files, fresh.deps.db).check()
})

it('is another by the operator’s word', async () => {
  const files = await openFolder()
  const storage = withStorageIdentity(files, db)
  await expect(storage.check()).rejects.toThrow(notOurs)
  const before = await db.selectFrom('storage_identity').select('marker').executeTakeFirstOrThrow()
  await adoptStorage(db, storage)
  await storage.check()
  await expect(test.deps.files.check()).rejects.toThrow(notOurs)
  await db.updateTable('storage_identity').set(before).execute()
  await test.deps.files.check()
})

it('a disk that takes nothing is not ready, and leaves nothing of having tried', async () => {
  const folder = await makeTestFolder()
  const files = await openDiskStorage(folder)
  await files.check()
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
  // A file replaces the folder, because permissions do not stop root.
  await rm(join(folder, 'incoming'), { recursive: true })
  await writeFile(join(folder, 'incoming'), '')
  await expect(files.check()).rejects.toThrow('ENOTDIR')
})
