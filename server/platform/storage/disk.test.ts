import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { makeTestFolder } from '../../testing/data-folder.ts'
import { file, goodFields, upload } from '../../testing/form.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { countNotes, expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { describeStorage } from '../../testing/storage-behaviour.ts'
import { makeLocalFile } from '../../testing/stored-files.ts'
import { get, logIn, patch, post, rate, remove } from '../../testing/students.ts'
import { openDiskStorage } from './disk.ts'
import { createDiskSpace } from './spool.ts'
import { newFileKey } from './storage.ts'

const folder = await makeTestFolder()

describeStorage('disk', () => openDiskStorage(folder))

it('moves a file, and copies nothing', async () => {
  const storage = await openDiskStorage(folder)
  const file = await makeLocalFile(Buffer.from('content'), folder)
  const { ino } = await stat(file.path)
  const key = newFileKey()
  await storage.put(key, file)
  expect((await stat(join(folder, key.slice(0, 2), key))).ino).toBe(ino)
})

it.runIf(existsSync('/dev/shm'))('takes a file of another disk', async () => {
  const storage = await openDiskStorage(folder)
  const elsewhere = await mkdtemp('/dev/shm/lectern files ')
  onTestFinished(() => rm(elsewhere, { recursive: true }))
  const key = newFileKey()
  await storage.put(key, await makeLocalFile(Buffer.from('content'), elsewhere))
  expect(await readFile(join(folder, key.slice(0, 2), key), 'utf8')).toBe('content')
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})

it('deletes what an interrupted put left behind', async () => {
  const storage = await openDiskStorage(folder)
  const key = newFileKey()
  await writeFile(join(folder, 'incoming', key), 'half')
  await storage.delete(key)
  expect(await readdir(join(folder, 'incoming'))).toEqual([])
})

const test = await openTestApp({ MIN_FREE_MB: '1000000000' })

it('a volume with less than its minimum left refuses what would grow it, while reads, logins, logouts and deletions work', async () => {
  const [user, other] = [await createUser(test), await createUser(test)]
  const [own, theirs] = [await createNote(test, user), await createNote(test, other)]
  const { auth } = user
  expectRefusal(await upload(test, user, [...goodFields, file()]), 'storage_full')
  expectRefusal(await rate(test, user, theirs, { likes: '+' }), 'storage_full')
  expectRefusal(await patch(test, '/api/users/me', { recentlyViewedNotes: [theirs] }, auth), 'storage_full')
  expectRefusal(await post(test, '/api/users/me/export', undefined, auth), 'storage_full')
  expect((await get(test, '/api/notes', auth)).json().notes).toHaveLength(2)
  expect((await get(test, `/api/notes/${theirs}/view`, auth)).statusCode).toBe(200)
  expect((await logIn(test, user.email)).statusCode).toBe(200)
  expect((await remove(test, `/api/users/me/notes/${own}`, auth)).statusCode).toBe(204)
  expect((await post(test, '/api/users/logout', {}, auth)).statusCode).toBe(204)
  expect(await countNotes(test, user.id)).toBe(0)
  await expectNoOrphanedFilesAfterSweep(test)
})

it('uploads in progress count as written, and share one budget', async () => {
  const unlimited = createDiskSpace([{ path: '/', takesUploads: true }], { minFreeMb: 0, maxSpoolMb: 10 ** 9 })
  await expect(unlimited.reserve(2 ** 60)).rejects.toMatchObject({ code: 'storage_full' })
  const release = await unlimited.reserve(1)
  release()
  const small = createDiskSpace([], { minFreeMb: null, maxSpoolMb: 100 })
  const [first, second] = [await small.reserve(60 * 2 ** 20), await small.reserve(40 * 2 ** 20)]
  await expect(small.reserve(1)).rejects.toMatchObject({ code: 'busy' })
  first()
  first()
  await expect(small.reserve(61 * 2 ** 20)).rejects.toMatchObject({ code: 'busy' })
  second()
  // A single upload may exceed the limit, because it could otherwise never start.
  await small.reserve(200 * 2 ** 20)
})
