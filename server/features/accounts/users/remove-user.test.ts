import type { InjectOptions } from 'fastify'
import { expect, it } from 'vitest'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../../testing/app.ts'
import { countRows, expectRefusal } from '../../../testing/refusal.ts'
import { getMe, logIn, rate, requestReset } from '../../../testing/students.ts'
import { waitForBlockedQueries, whileLocked } from '../../../testing/with-blocked-query.ts'
import { removeUser } from '../deletion/account-deletion.ts'

const test = await openTestApp()
const { db } = test.deps
const remove = ({ id }: TestUser) => inTransaction(db, (tx) => removeUser(tx, id))
const findNote = (id: string) =>
  db
    .selectFrom('notes')
    .innerJoin('documents', 'documents.id', 'document_id')
    .select(['likes', 'dislikes', 'file_key'])
    .where('notes.id', '=', id)
    .executeTakeFirst()

it('removes a user with notes, ratings and sessions, and leaves counters and files right', async () => {
  const [leaver, stayer] = await Promise.all([createUser(test), createUser(test)])
  const before = await countRows(test)
  const [liked, disliked] = [await createNote(test, stayer), await createNote(test, stayer)]
  const own = await createNote(test, leaver)
  await rate(test, leaver, liked, { likes: '+' })
  await rate(test, leaver, disliked, { dislikes: '+' })
  await rate(test, stayer, own, { likes: '+' })
  await logIn(test, leaver.email)
  await requestReset(test, leaver.email)
  const { file_key } = (await findNote(own)) ?? { file_key: '' }
  await remove(leaver)
  expect(await findNote(liked)).toMatchObject({ likes: 0, dislikes: 0 })
  expect(await findNote(disliked)).toMatchObject({ likes: 0, dislikes: 0 })
  expect(await findNote(own)).toBeUndefined()
  expect(await db.selectFrom('ratings').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('file_deletions').select('file_key').execute()).toEqual([{ file_key }])
  expect(await db.selectFrom('account_tokens').selectAll().execute()).toEqual([])
  expect(await db.selectFrom('passwords').select('user_id').execute()).toEqual([{ user_id: stayer.id }])
  const [users, sessions] = [Number(before?.users) - 1, Number(before?.sessions) - 1]
  expect(await countRows(test)).toMatchObject({ users, sessions, refreshTokens: before?.refreshTokens })
  expectRefusal(await getMe(test, leaver.auth), 'unauthorized')
  expectRefusal(await logIn(test, leaver.email), 'invalid_credentials')
})

it('is the only way: the database refuses a user who still has notes or ratings', async () => {
  const [author, reader] = await Promise.all([createUser(test), createUser(test)])
  const noteId = await createNote(test, author)
  await rate(test, reader, noteId, { likes: '+' })
  for (const { id } of [author, reader])
    await expect(db.deleteFrom('users').where('id', '=', id).execute()).rejects.toThrow('violates')
  expect(await findNote(noteId)).toMatchObject({ likes: 1 })
})

const deeds: [string, (noteId: string) => InjectOptions][] = [
  ['a report', (id) => ({ method: 'POST', url: `/api/notes/${id}/reports`, payload: { rule: 'exam' } })],
  ['a rating', (id) => ({ method: 'PATCH', url: `/api/notes/${id}/rating`, payload: { likes: '+' } })],
  ['a place in a note', (id) => ({ method: 'PATCH', url: `/api/notes/${id}/reading`, payload: { page: 1 } })],
  ['following a course', () => ({ method: 'POST', url: '/api/courses/CSC148/follow' })],
]

it.each(deeds)('refuses %s of an account that goes meanwhile, as of anybody not signed in', async (_what, of) => {
  const [author, leaver] = [await createUser(test), await createUser(test)]
  const noteId = await createNote(test, author, { courseCode: 'CSC148' })
  const ask = () => test.app.inject({ ...of(noteId), headers: leaver.auth })
  expectRefusal(await whileLocked(test, { hold: (tx) => removeUser(tx, leaver.id), ask }), 'unauthorized')
})

it('removes two users who have rated each other’s notes at the same time', async () => {
  const [one, other, author] = [await createUser(test), await createUser(test), await createUser(test)]
  const [ofOne, ofOther] = [await createNote(test, one), await createNote(test, other)]
  const held: string[] = []
  for (let n = 0; n < 8; n++) held.push(await createNote(test, author))
  for (const id of [ofOther, ...held]) await rate(test, one, id, { likes: '+' })
  for (const id of [ofOne, ...held]) await rate(test, other, id, { likes: '+' })
  const { removals } = await inTransaction(db, async (tx) => {
    await tx.selectFrom('notes').select('id').where('id', 'in', held).orderBy('id').forUpdate().execute()
    const removals = Promise.all([remove(one), remove(other)])
    await waitForBlockedQueries(db, 2)
    return { removals }
  })
  await removals
  expect(await findNote(ofOne)).toBeUndefined()
  expect(await findNote(ofOther)).toBeUndefined()
  for (const id of held) expect(await findNote(id)).toMatchObject({ likes: 0 })
})

it('removes a user who rated and reported a note that its author deletes simultaneously', async () => {
  const [author, leaver] = [await createUser(test), await createUser(test)]
  const noteId = await createNote(test, author)
  await rate(test, leaver, noteId, { likes: '+' })
  const report = { note_id: noteId, reporter_id: leaver.id, rule: 'exam', decided_at: '2026-11-01T12:00:00Z' }
  await db.insertInto('reports').values(report).execute()
  await whileLocked(test, {
    hold: (tx) => tx.selectFrom('notes').select('id').where('id', '=', noteId).forUpdate().execute(),
    ask: () => remove(leaver),
    happens: (tx) => tx.deleteFrom('notes').where('id', '=', noteId).execute(),
  })
  expect(await findNote(noteId)).toBeUndefined()
  expect(await db.selectFrom('users').select('id').where('id', '=', leaver.id).execute()).toEqual([])
})
