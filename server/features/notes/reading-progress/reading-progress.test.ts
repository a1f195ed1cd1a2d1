import { expect } from 'vitest'
import { createNote, createUser, itWithUsers, openTestApp, type TestUser } from '../../../testing/app.ts'
import { expectRefusal, expectStatus } from '../../../testing/refusal.ts'
import { get, patch, remove } from '../../../testing/students.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps

const address = (noteId: string) => `/api/notes/${noteId}/reading`
const read = ({ auth }: TestUser, noteId: string) => get(test, address(noteId), auth)
const save = ({ auth }: TestUser, noteId: string, payload: object) => patch(test, address(noteId), payload, auth)
const kept = (noteId: string) =>
  db.selectFrom('reading_positions').select(['user_id', 'page']).where('note_id', '=', noteId).execute()

/** Creates a note with this page count; null means unknown. */
async function createLongNote(owner: TestUser, pageCount: number | null) {
  const noteId = await createNote(test, owner)
  await setPageCount(noteId, pageCount)
  return noteId
}
const setPageCount = (noteId: string, pageCount: number | null) => {
  const ofNote = db.selectFrom('notes').select('document_id').where('id', '=', noteId)
  return db.updateTable('documents').set({ page_count: pageCount }).where('id', '=', ofNote).execute()
}

it('/api/notes/{id}/reading remembers a page of each student, and the first where one never began', async () => {
  const [owner, ada, ben] = await Promise.all([createUser(test), createUser(test), createUser(test)])
  const noteId = await createLongNote(owner, 12)
  expect((await read(ada, noteId)).json()).toEqual({ page: 1 })
  for (const page of [3, 7]) expect((await save(ada, noteId, { page })).json()).toEqual({ page })
  await save(ben, noteId, { page: 2 })
  expect((await read(ada, noteId)).json()).toEqual({ page: 7 })
  expect((await read(ben, noteId)).json()).toEqual({ page: 2 })
  expect((await read(owner, noteId)).json()).toEqual({ page: 1 })
})

it('/api/notes/{id}/reading takes a page beyond the last one for the last one, also when the file has become shorter', async () => {
  const ada = await createUser(test)
  const noteId = await createLongNote(ada, 12)
  expect((await save(ada, noteId, { page: 400 })).json()).toEqual({ page: 12 })
  await db.updateTable('documents').set({ page_count: 5 }).execute()
  expect((await read(ada, noteId)).json()).toEqual({ page: 5 })
})

it('/api/notes/{id}/reading believes the reader where the pages of a locked file cannot be counted', async () => {
  const ada = await createUser(test)
  const noteId = await createLongNote(ada, null)
  expect((await save(ada, noteId, { page: 31 })).json()).toEqual({ page: 31 })
  expect((await read(ada, noteId)).json()).toEqual({ page: 31 })
})

const badPages = [{}, { page: 0 }, { page: -1 }, { page: 1.5 }, { page: '2' }, { page: 1e9 }, { page: null }, []]
it.each(badPages)('/api/notes/{id}/reading refuses %j', async (payload) => {
  const ada = await createUser(test)
  const noteId = await createNote(test, ada)
  expect((await save(ada, noteId, payload)).json()).toMatchObject({ code: 'invalid_input' })
  expect(await kept(noteId)).toEqual([])
})

it('/api/notes/{id}/reading knows no other note', async ({ ada }) => {
  expectRefusal(await read(ada, crypto.randomUUID()), 'note_not_found')
  expectRefusal(await save(ada, crypto.randomUUID(), { page: 1 }), 'note_not_found')
})

it('/api/notes/{id}/reading deletes it with the note, also when both happen simultaneously', async ({ owner, ada }) => {
  for (let turn = 0; turn < 10; turn++) {
    const noteId = await createNote(test, owner)
    const [saved, deleted] = await Promise.all([
      save(ada, noteId, { page: 1 }),
      remove(test, `/api/users/me/notes/${noteId}`, owner.auth),
    ])
    expect(deleted.statusCode).toBe(204)
    expect([200, 404]).toContain(saved.statusCode)
    expect(await kept(noteId)).toEqual([])
  }
})

type Continued = { reading: { page: number; note: { _id: string; document: { pageCount: number | null } } }[] }
const continued = async (user: TestUser) => {
  const response = await expectStatus(200, get(test, '/api/users/me/reading', user.auth))
  return response.json<Continued>().reading
}
const idsAndPages = async (user: TestUser) => (await continued(user)).map(({ note, page }) => [note._id, page])
const setAside = ({ auth }: TestUser, noteId: string) => remove(test, `/api/users/me/reading/${noteId}`, auth)

it('/api/users/me/reading lists the four notes read last, with the page where one stopped, to each student their own', async () => {
  const [owner, ada, ben] = await Promise.all([createUser(test), createUser(test), createUser(test)])
  const notes: string[] = []
  for (let at = 0; at < 5; at++) notes.unshift(await createLongNote(owner, 12))
  expect(await continued(ada)).toEqual([])
  for (const noteId of notes.toReversed()) await save(ada, noteId, { page: 3 })
  expect(await idsAndPages(ada)).toEqual(notes.slice(0, 4).map((noteId) => [noteId, 3]))
  const [, , , fourth = '', fifth = ''] = notes
  await save(ada, fifth, { page: 4 })
  expect((await idsAndPages(ada))[0]).toEqual([fifth, 4])
  expect((await idsAndPages(ada)).flat()).not.toContain(fourth)
  expect((await continued(ada))[0]?.note.document.pageCount).toBe(12)
  expect(await continued(ben)).toEqual([])
})

it('/api/users/me/reading leaves out what is read to its last page, or shorter than that by now, and what is deleted', async () => {
  const ada = await createUser(test)
  const [long, done, deleted, locked] = await Promise.all(
    [12, 12, 12, null].map((pageCount) => createLongNote(ada, pageCount)),
  )
  await save(ada, done ?? '', { page: 12 })
  await save(ada, deleted ?? '', { page: 2 })
  await save(ada, locked ?? '', { page: 99 })
  await save(ada, long ?? '', { page: 11 })
  await remove(test, `/api/users/me/notes/${deleted}`, ada.auth)
  expect(await idsAndPages(ada)).toEqual([
    [long, 11],
    [locked, 99],
  ])
  await setPageCount(long ?? '', 5)
  expect(await idsAndPages(ada)).toEqual([[locked, 99]])
  await save(ada, done ?? '', { page: 5 })
  expect((await idsAndPages(ada))[0]).toEqual([done, 5])
})

it('/api/users/me/reading does not list a dismissed note, keeps its page, and lists it again once it is read further', async () => {
  const [owner, ada, ben] = await Promise.all([createUser(test), createUser(test), createUser(test)])
  const noteId = await createLongNote(owner, 12)
  for (const reader of [ada, ben]) await save(reader, noteId, { page: 3 })
  for (let turn = 0; turn < 2; turn++) expect((await setAside(ada, noteId)).statusCode).toBe(204)
  expect(await continued(ada)).toEqual([])
  expect((await read(ada, noteId)).json()).toEqual({ page: 3 })
  expect(await idsAndPages(ben)).toEqual([[noteId, 3]])
  await save(ada, noteId, { page: 4 })
  expect(await idsAndPages(ada)).toEqual([[noteId, 4]])
})

it('/api/users/me/reading reveals no anonymous author, and refuses unknown notes', async () => {
  const [owner, ada] = await Promise.all([createUser(test, { name: 'Zyxwvut Canary' }), createUser(test)])
  const noteId = await createLongNote(owner, 12)
  await db.updateTable('notes').set({ is_anonymous: true }).where('id', '=', noteId).execute()
  await save(ada, noteId, { page: 3 })
  const answer = await test.app.inject({ url: '/api/users/me/reading', headers: ada.auth })
  expect(answer.json().reading).toMatchObject([{ note: { _id: noteId, user: null } }])
  for (const canary of [owner.id, owner.email, 'Zyxwvut']) expect(answer.body).not.toContain(canary)
  expectRefusal(await setAside(owner, noteId), 'note_not_found')
  expectRefusal(await setAside(ada, crypto.randomUUID()), 'note_not_found')
  expect(await idsAndPages(ada)).toEqual([[noteId, 3]])
})
