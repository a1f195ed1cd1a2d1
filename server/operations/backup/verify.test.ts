import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { newFileKey } from '../../platform/storage/storage.ts'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { beforeGet, documentOf, putBytes } from '../../testing/stored-files.ts'
import { type Verified, verifyFiles } from './verify.ts'

const test = await openTestApp()
const { db, files } = test.deps
const owner = await createUser(test)

const makeNote = async () => {
  const noteId = await createNote(test, owner)
  return { noteId, key: (await documentOf(test, noteId)).file_key }
}
const replace = async (key: string, text: string) => {
  await files.delete(key)
  await putBytes(files, key, Buffer.from(text))
}
const verify = (storage = files): Promise<Verified> =>
  verifyFiles({ db, files: storage, signal: new AbortController().signal, onProgress: () => {} })

it('finds what is missing, what has changed and what belongs to nothing, and only that', async () => {
  const picture = { small: newFileKey(), large: newFileKey() }
  const drawn = Buffer.from('drawn')
  const sha256 = createHash('sha256').update(drawn).digest()
  const [whole, missing, damaged] = [await makeNote(), await makeNote(), await makeNote()]
  for (const key of Object.values(picture)) await putBytes(files, key, drawn)
  const { id: document_id } = await documentOf(test, whole.noteId)
  const keys = { small_file_key: picture.small, large_file_key: picture.large }
  const hashes = { small_sha256: sha256, large_sha256: sha256 }
  await db
    .insertInto('thumbnails')
    .values({ document_id, key: 'address', ...keys, ...hashes })
    .execute()
  expect(await verify()).toEqual({ files: 5, missing: [], damaged: [], orphans: [] })
  const orphan = newFileKey()
  await putBytes(files, orphan, Buffer.from('of no note'))
  await files.delete(missing.key)
  await replace(damaged.key, '%PDF-rotten')
  await files.delete(picture.large)
  const pending = newFileKey()
  await db.insertInto('file_deletions').values({ file_key: pending, delete_after: new Date() }).execute()
  await putBytes(files, pending, Buffer.from('of an upload in progress'))
  const found = await verify()
  expect(found).toMatchObject({ files: 5, damaged: [damaged], orphans: [orphan] })
  expect(found.missing).toHaveLength(2)
  expect(found.missing).toEqual(expect.arrayContaining([missing, { noteId: whole.noteId, key: picture.large }]))
  await sql`UPDATE thumbnails SET small_sha256 = ${Buffer.alloc(32)}`.execute(db)
  expect((await verify()).damaged).toHaveLength(2)
})

it('blames nothing on notes that are deleted and files that are swept meanwhile', async () => {
  const before = await verify()
  const { noteId, key } = await makeNote()
  const swept = newFileKey()
  await putBytes(files, swept, Buffer.from('going'))
  const going = {
    ...files,
    async getSize(asked: string) {
      if (asked === swept) await files.delete(swept)
      return files.getSize(asked)
    },
    async get(asked: string) {
      if (asked === key) {
        await db.deleteFrom('notes').where('id', '=', noteId).execute()
        await files.delete(key)
      }
      return files.get(asked)
    },
  }
  const { missing, orphans } = await verify(going)
  expect({ missing, orphans }).toEqual({ missing: before.missing, orphans: before.orphans })
})

it('counts a file that cannot be read as damaged', async () => {
  const { key } = await makeNote()
  const broken = beforeGet(files, (asked) => {
    if (asked === key) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  })
  expect((await verify(broken)).damaged.map((file) => file.key)).toContain(key)
})
