import { describe, expect, it } from 'vitest'
import { openTestApp } from '../test/app.ts'
import { createNote, createUser, type TestUser } from '../test/factories.ts'
import { expectRefusal } from '../test/refusal.ts'

const test = await openTestApp()
const { db } = test.deps

const address = (noteId: string) => `/api/notes/${noteId}/reading`
const read = (user: TestUser | null, noteId: string) =>
  test.app.inject({ url: address(noteId), headers: { ...user?.auth } })
const save = (user: TestUser | null, noteId: string, payload: object) =>
  test.app.inject({ method: 'PATCH', url: address(noteId), headers: { ...user?.auth }, payload })
const kept = (noteId: string) =>
  db.selectFrom('reading_positions').select(['user_id', 'page']).where('note_id', '=', noteId).execute()

/** A note whose file is said to have this many pages; null where nobody could count them. */
async function createLongNote(owner: TestUser, pageCount: number | null) {
  const noteId = await createNote(test, owner)
  const ofNote = db.selectFrom('notes').select('document_id').where('id', '=', noteId)
  await db.updateTable('documents').set({ page_count: pageCount }).where('id', '=', ofNote).execute()
  return noteId
}

describe('/api/notes/{id}/reading', () => {
  it('remembers a page of each student, and the first where one never began', async () => {
    const [owner, ada, ben] = await Promise.all([createUser(test), createUser(test), createUser(test)])
    const noteId = await createLongNote(owner, 12)
    expect((await read(ada, noteId)).json()).toEqual({ page: 1 })
    for (const page of [3, 7]) expect((await save(ada, noteId, { page })).json()).toEqual({ page })
    await save(ben, noteId, { page: 2 })
    expect((await read(ada, noteId)).json()).toEqual({ page: 7 })
    expect((await read(ben, noteId)).json()).toEqual({ page: 2 })
    expect((await read(owner, noteId)).json()).toEqual({ page: 1 })
  })

  it('takes a page beyond the last one for the last one, also when the file has become shorter', async () => {
    const ada = await createUser(test)
    const noteId = await createLongNote(ada, 12)
    expect((await save(ada, noteId, { page: 400 })).json()).toEqual({ page: 12 })
    await db.updateTable('documents').set({ page_count: 5 }).execute()
    expect((await read(ada, noteId)).json()).toEqual({ page: 5 })
  })

  it('believes the reader where the pages of a locked file cannot be counted', async () => {
    const ada = await createUser(test)
    const noteId = await createLongNote(ada, null)
    expect((await save(ada, noteId, { page: 31 })).json()).toEqual({ page: 31 })
    expect((await read(ada, noteId)).json()).toEqual({ page: 31 })
  })

  it.each([{}, { page: 0 }, { page: -1 }, { page: 1.5 }, { page: '2' }, { page: 1e9 }, { page: null }, []])(
    'refuses %j',
    async (payload) => {
      const ada = await createUser(test)
      const noteId = await createNote(test, ada)
      expect((await save(ada, noteId, payload)).json()).toMatchObject({ code: 'invalid_input' })
      expect(await kept(noteId)).toEqual([])
    },
  )

  it('refuses visitors, and knows no other note', async () => {
    const ada = await createUser(test)
    const noteId = await createNote(test, ada)
    expectRefusal(await read(null, noteId), 'unauthorized')
    expectRefusal(await save(null, noteId, { page: 1 }), 'unauthorized')
    expect(await kept(noteId)).toEqual([])
    expectRefusal(await read(ada, crypto.randomUUID()), 'note_not_found')
    expectRefusal(await save(ada, crypto.randomUUID(), { page: 1 }), 'note_not_found')
    expectRefusal(await save(ada, 'not-an-id', { page: 1 }), 'invalid_input', 'Invalid UUID')
  })

  it('forgets with the note, also when both happen at once', async () => {
    const [owner, ada] = await Promise.all([createUser(test), createUser(test)])
    for (let turn = 0; turn < 10; turn++) {
      const noteId = await createNote(test, owner)
      const [saved, deleted] = await Promise.all([
        save(ada, noteId, { page: 1 }),
        test.app.inject({ method: 'DELETE', url: `/api/users/me/notes/${noteId}`, headers: owner.auth }),
      ])
      expect(deleted.statusCode).toBe(204)
      expect([200, 404]).toContain(saved.statusCode)
      expect(await kept(noteId)).toEqual([])
    }
  })
})
