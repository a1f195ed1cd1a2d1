import { expect, it } from 'vitest'
import { newFileKey } from '../../platform/storage/storage.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { onePagePdf } from '../../testing/pdf.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { expectNoOrphanedFiles, expectNoOrphanedFilesAfterSweep } from '../../testing/storage-assertions.ts'
import { documentOf, putBytes } from '../../testing/stored-files.ts'
import { get, getMe, patch, rate, remove as send } from '../../testing/students.ts'
import { whileLocked } from '../../testing/with-blocked-query.ts'
import { updateOwnNote } from './notes.queries.ts'

const test = await openTestApp()
const { db } = test.deps
const [owner, other] = await Promise.all([createUser(test), createUser(test)])

const remove = (user: TestUser, noteId: string) => send(test, `/api/users/me/notes/${noteId}`, user.auth)
const view = (user: TestUser, noteId: string) => get(test, `/api/notes/${noteId}/view`, user.auth)
const isThere = async (noteId: string) =>
  (await db.selectFrom('notes').select('id').where('id', '=', noteId).execute()).length === 1

it('deletes a note with its file, its ratings and every trace in the lists of others', async () => {
  const [noteId, kept] = [await createNote(test, owner), await createNote(test, owner)]
  await rate(test, other, noteId, { likes: '+' })
  await patch(test, '/api/users/me', { recentlyViewedNotes: [noteId, kept] }, other.auth)

  const response = await remove(owner, noteId)
  expect([response.statusCode, response.body]).toEqual([204, ''])
  expectRefusal(await view(owner, noteId), 'note_not_found')
  expect(await db.selectFrom('ratings').selectAll().where('note_id', '=', noteId).execute()).toEqual([])
  expect((await getMe(test, other.auth)).json().user).toMatchObject({
    likedNotes: [],
    likedNotesDisplay: [],
    recentlyViewedNotes: [{ _id: kept }],
  })
  const likes = await get(test, '/api/users/me/notes/liked', other.auth)
  expect(likes.json().notes).toEqual([])
  await expectNoOrphanedFiles(test)
})

it('deletes once, even in many simultaneous requests', async () => {
  const noteId = await createNote(test, owner)
  const answers = await Promise.all(Array.from({ length: 100 }, () => remove(owner, noteId)))
  const statuses = answers.map((answer) => answer.statusCode).sort()
  expect(statuses).toEqual([204, ...Array.from({ length: 99 }, () => 404)])
  await expectNoOrphanedFiles(test)
})

it('deletes a note that is just becoming anonymous, with the file it has by then', async () => {
  const noteId = await createNote(test, owner)
  const { id: replacedDocumentId } = await documentOf(test, noteId)
  const fileKey = newFileKey()
  await putBytes(test.deps.files, fileKey, onePagePdf)
  const details = { courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: true }
  const document = { fileKey, bytes: onePagePdf.length, sha256: Buffer.alloc(32), pageCount: 1, drawnPages: [] }
  const deletion = await whileLocked(test, {
    async hold(tx) {
      const anonymised = { replacedDocumentId, document }
      expect(await updateOwnNote(tx, owner.id, noteId, details, { anonymised })).toBe(true)
    },
    ask: () => remove(owner, noteId),
  })
  expect(deletion.statusCode).toBe(204)
  expect(await isThere(noteId)).toBe(false)
  await expectNoOrphanedFilesAfterSweep(test)
})

it('refuses another student, as if there were no such note', async () => {
  for (const isAnonymous of [false, true]) {
    const noteId = await createNote(test, owner, { isAnonymous })
    const theirs = await remove(other, noteId)
    expectRefusal(theirs, 'note_not_found')
    expect(theirs.body).toBe((await remove(other, crypto.randomUUID())).body)
    expect((await view(owner, noteId)).statusCode).toBe(200)
  }
  await expectNoOrphanedFiles(test)
})

it('knows no note that is deleted already, and nothing that is no id', async () => {
  const noteId = await createNote(test, owner)
  await remove(owner, noteId)
  expectRefusal(await remove(owner, noteId), 'note_not_found')
  expectRefusal(await remove(owner, 'not-an-id'), 'invalid_input', 'Invalid UUID')
})

it('is done although the storage fails: the sweep removes the file', async () => {
  const noteId = await createNote(test, owner)
  const { files } = test.deps
  test.deps.files = { ...files, delete: () => Promise.reject(new Error('The disk is away')) }
  expect((await remove(owner, noteId)).statusCode).toBe(204)
  test.deps.files = files
  expect(await isThere(noteId)).toBe(false)
  await expectNoOrphanedFilesAfterSweep(test)
})
