import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { maxReportsPerDay } from '../../../../packages/contract/reports.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../../testing/app.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { post } from '../../../testing/students.ts'
import { deleteClosedReports, deleteOldReports } from './reports.ts'

const test = await openTestApp({ RATE_LIMIT: 'on' })
const { db } = test.deps
const [author, reader] = await Promise.all([createUser(test), createUser(test)])

const report = (user: TestUser, noteId: string, body: object = { rule: 'copyright' }) =>
  post(test, `/api/notes/${noteId}/reports`, body, user.auth)
const reportsOf = (noteId: string) => db.selectFrom('reports').selectAll().where('note_id', '=', noteId).execute()

it('keeps a report, and answers with nothing', async () => {
  const noteId = await createNote(test, author)
  const text = 'This is chapter 3 of a book.\r\nI have it here.'
  const response = await report(reader, noteId, { rule: 'copyright', text })
  expect([response.statusCode, response.body]).toEqual([204, ''])
  expect(await reportsOf(noteId)).toMatchObject([
    { rule: 'copyright', text: text.replace('\r', ''), reporter_id: reader.id, decided_at: null },
  ])
})

it.each([
  ['no rule', {}],
  ['a rule there is not', { rule: 'boring' }],
  ['something else without a text', { rule: 'other', text: '  ' }],
  ['a text that is too long', { rule: 'exam', text: 'x'.repeat(1_001) }],
  ['a text of another type', { rule: 'exam', text: ['a'] }],
])('refuses %s', async (_what, body) => {
  const noteId = await createNote(test, author)
  const response = await report(reader, noteId, body)
  expect(response.json().code).toBe('invalid_input')
  expect(await reportsOf(noteId)).toEqual([])
})

it('accepts one report per student and note, also of fifty simultaneous ones', async () => {
  const noteId = await createNote(test, author)
  const answers = await Promise.all(Array.from({ length: 50 }, () => report(reader, noteId)))
  const refused = answers.filter(({ statusCode }) => statusCode !== 204)
  expect(refused).toHaveLength(49)
  for (const answer of refused) expectRefusal(answer, 'already_reported')
  expect(await reportsOf(noteId)).toHaveLength(1)
  expect((await report(await createUser(test), noteId)).statusCode).toBe(204)
})

it('refuses the reporter’s own note, and an unknown one', async () => {
  const noteId = await createNote(test, author, { isAnonymous: true })
  expectRefusal(await report(author, noteId), 'own_note_report')
  expectRefusal(await report(author, crypto.randomUUID()), 'note_not_found')
  expect(await reportsOf(noteId)).toEqual([])
})

it('limits reports per day, also simultaneous ones, and returns the limit', async () => {
  const busy = await createUser(test)
  const notes = await Promise.all(Array.from({ length: maxReportsPerDay + 3 }, () => createNote(test, author)))
  const answers = await Promise.all(notes.map((noteId) => report(busy, noteId)))
  const refused = answers.filter(({ statusCode }) => statusCode !== 204)
  expect(refused).toHaveLength(3)
  for (const answer of refused) {
    const message = `You can report up to ${maxReportsPerDay} notes per 24 hours. Try again in 24 hours.`
    expectRefusal(answer, 'too_many_reports', message)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(24 * 3600 - 600)
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(24 * 3600)
  }
  const ofBusy = db.selectFrom('reports').where('reporter_id', '=', busy.id)
  expect(await ofBusy.selectAll().execute()).toHaveLength(maxReportsPerDay)

  await sql`UPDATE reports SET reported_at = '2026-01-01T00:00:00Z' WHERE reporter_id = ${busy.id}`.execute(db)
  expect((await report(busy, await createNote(test, author))).statusCode).toBe(204)
})

it('keeps what was reported when its reporter leaves, and drops it with the note', async () => {
  const [leaver, noteId] = [await createUser(test), await createNote(test, author)]
  await report(leaver, noteId)
  await db.deleteFrom('users').where('id', '=', leaver.id).execute()
  expect(await reportsOf(noteId)).toMatchObject([{ rule: 'copyright', reporter_id: null }])
  await db.deleteFrom('notes').where('id', '=', noteId).execute()
  expect(await reportsOf(noteId)).toEqual([])
})

it('takes another report of the same student when the one before is decided, within what a day allows', async () => {
  const [busy, noteId] = [await createUser(test), await createNote(test, author)]
  const decided = { decided_at: new Date() }
  for (let count = 1; count <= maxReportsPerDay; count++) {
    expect((await report(busy, noteId)).statusCode).toBe(204)
    expectRefusal(await report(busy, noteId), 'already_reported')
    await db.updateTable('reports').set(decided).where('note_id', '=', noteId).execute()
  }
  expect((await report(busy, noteId)).json().code).toBe('too_many_reports')
})

it('deletes decided reports after 30 days, and those of a deleted account immediately', async () => {
  const [leaver, noteId] = [await createUser(test), await createNote(test, author)]
  const other = await createNote(test, author)
  for (const reporter of [leaver, reader]) await report(reporter, noteId)
  await db.updateTable('reports').set({ decided_at: new Date() }).where('note_id', '=', noteId).execute()
  await report(leaver, other)
  await inTransaction(db, (tx) => deleteClosedReports(tx, leaver.id))
  expect(await reportsOf(noteId)).toMatchObject([{ reporter_id: reader.id }])
  expect(await reportsOf(other)).toMatchObject([{ reporter_id: leaver.id }])

  await deleteOldReports(db)
  expect(await reportsOf(noteId)).toHaveLength(1)
  const old = { decided_at: new Date(Date.now() - 31 * 86_400_000) }
  await db.updateTable('reports').set(old).where('note_id', '=', noteId).execute()
  await deleteOldReports(db)
  expect(await reportsOf(noteId)).toEqual([])
  expect(await reportsOf(other)).toHaveLength(1)
})
