import { randomUUID } from 'node:crypto'
import type { Updateable } from 'kysely'
import { expect, it } from 'vitest'
import { pageSize } from '../../../packages/contract/limits.ts'
import type { Documents } from '../../platform/db/schema.ts'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { expectRefusal } from '../../testing/refusal.ts'

const test = await openTestApp()
const owner = await createUser(test, { name: 'Ada' })
const reader = await createUser(test, { name: 'Ben' })
const get = (path: string, headers = reader.auth) => test.app.inject({ url: `/api/notes/${path}`, headers })

it('GET /api/notes/{id} answers a note as lists show it, without the author of an anonymous one', async () => {
  const named = await createNote(test, owner)
  const anonymous = await createNote(test, owner, { isAnonymous: true })
  expect((await get(named)).json()).toMatchObject({ _id: named, user: { _id: owner.id, name: 'Ada' } })
  expect((await get(anonymous)).json()).toMatchObject({ _id: anonymous, user: null })
  expect((await get(anonymous, owner.auth)).json()).toMatchObject({ user: { _id: owner.id } })
})

it('GET /api/notes/{id} refuses ids of no note and what is no id', async () => {
  expectRefusal(await get(randomUUID()), 'note_not_found')
  expectRefusal(await get('1'), 'invalid_input', 'Invalid UUID')
})

it('GET /api/notes/{id} reveals only to the owner what could not be extracted from the file', async () => {
  const noteId = await createNote(test, owner, { isAnonymous: true })
  const update = (values: Updateable<Documents>) =>
    test.deps.db
      .updateTable('documents')
      .set(values)
      .where('id', '=', (db) => db.selectFrom('notes').select('document_id').where('id', '=', noteId))
      .execute()
  const problems = async () => (await get(noteId, owner.auth)).json().document.problems
  const picture = { what: 'picture', reason: 'timeout' }

  await update({ text_state: 'failed', text_error: 'locked', thumbnail_state: 'failed', thumbnail_error: 'timeout' })
  expect(await problems()).toEqual([{ what: 'text', reason: 'locked' }, picture])
  await update({ text_state: 'empty', ocr_state: 'pending' })
  expect(await problems()).toEqual([{ what: 'no_text' }, picture])
  await update({ ocr_requested_at: new Date() })
  expect(await problems()).toEqual([{ what: 'no_text_yet' }, picture])
  expect((await get(noteId, owner.auth)).json().document.isProcessing).toBe(false)
  expect((await get(noteId)).json().document).not.toHaveProperty('problems')
})

it('GET /api/notes/by-id returns the notes in the requested order, without deleted ones', async () => {
  const [first, second] = [await createNote(test, owner), await createNote(test, owner)]
  const response = await get(`by-id?ids=${second},${randomUUID()},${first}`)
  expect(response.json().notes.map((note: { _id: string }) => note._id)).toEqual([second, first])
})

it.each([
  ['nothing', ''],
  ['what is no id', 'x'],
  ['too many', Array.from({ length: 2 * pageSize + 1 }, () => randomUUID()).join()],
])('GET /api/notes/by-id refuses %s', async (_, ids) => {
  const response = await get(`by-id?ids=${ids}`)
  expect(response.statusCode).toBe(400)
  expect(response.json().code).toBe('invalid_input')
})
