import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Queue } from '../../../../packages/contract/moderation.ts'
import { maxReportsPerDay } from '../../../../packages/contract/reports.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { createNote, createUser, openTestApp, openTestAppOn, type TestUser } from '../../../testing/app.ts'
import { canary, findTraces } from '../../../testing/canary.ts'
import { mailsTo, waitForMail } from '../../../testing/mails.ts'
import { expectRefusal, expectSuccesses } from '../../../testing/refusal.ts'
import { post, remove } from '../../../testing/students.ts'
import { setHidden } from '../../notes/notes.ts'
import { suspendMember } from '../suspensions/suspensions.ts'
import { deleteOldClaims, notifyClaimantsOfDeletedNotes } from './copyright-claims.ts'
import { deleteClosedReports, deleteOldReports } from './reports.ts'

const test = await openTestApp({ RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' })
const other = await openTestAppOn(test, { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' })
const { db } = test.deps
const [author, moderator] = [await createUser(test, canary), await createUser(test, { role: 'moderator' })]

let network = 0
/** Each claim comes from another network unless `from` is given. */
const claim = (body: object, { from = `10.0.${++network}.1`, server = test } = {}) => {
  const usual = { name: 'Paul Press', email: `paul.${network}@press.example`, text: 'Chapter 3 of my book.' }
  return post(server, '/api/copyright', { ...usual, ...body }, { 'x-forwarded-for': from })
}
const claims = () => db.selectFrom('copyright_claims').selectAll().execute()
const matterOf = async (noteId: string) => {
  const answer = await test.app.inject({ url: '/api/moderation/queue', headers: moderator.auth })
  return answer.json<Queue>().matters.find(({ note }) => note._id === noteId)
}
const decide = (noteId: string, kind: string) => {
  const decision = { kind, rule: 'copyright', reason: 'It is a scan.' }
  return post(test, `/api/moderation/notes/${noteId}/decisions`, decision, moderator.auth)
}

it.each(['hide', 'keep'])(
  'a copyright claim without an account goes to moderators, who %s, and back by mail',
  async (kind) => {
    const noteId = await createNote(test, author, { isAnonymous: true })
    const email = `publisher.${kind}@press.example`
    const answer = await claim({ note: `https://notes.example.org/notes/${noteId}?page=3`, email })
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    const matter = await matterOf(noteId)
    expect(matter?.reports).toEqual([
      { rule: 'copyright', text: 'Chapter 3 of my book.', claimant: 'Paul Press', at: expect.any(String) },
    ])
    expect(JSON.stringify(matter)).not.toContain(email)

    expect((await decide(noteId, kind)).statusCode).toBe(204)
    const mail = await waitForMail(test, email)
    expect(mail.text).toContain(kind === 'hide' ? 'and hid the note' : 'The note stays')
    expect(mail.text).toContain('It is a scan.')
    expect(mail.text).toContain(`Your claim was about the note ${noteId}.`)
    for (const trace of [author.id, ...author.name.split(' '), author.email]) expect(mail.text).not.toContain(trace)
    expect(await matterOf(noteId)).toBeUndefined()
    expectRefusal(await decide(noteId, 'keep'), 'nothing_to_decide')
  },
)

it('a copyright claim waits on where its note, hidden with its suspended author, is restored: that decides nothing about it', async () => {
  const publisher = 'restored@press.example'
  const suspended = await createUser(test)
  const noteId = await createNote(test, suspended)
  await claim({ note: noteId, email: publisher })
  await post(test, `/api/moderation/notes/${noteId}/question`, { text: 'Is it yours?' }, moderator.auth)
  await suspendMember(test.deps, null, suspended.id, { days: null, reason: 'Spam.', hidesNotes: true })
  expect(await matterOf(noteId)).toBeUndefined()
  expect((await decide(noteId, 'restore')).statusCode).toBe(204)
  const questions = [{ text: 'Is it yours?' }]
  expect(await matterOf(noteId)).toMatchObject({ reports: [{ rule: 'copyright' }], questions })
  expect((await decide(noteId, 'hide')).statusCode).toBe(204)
  expect((await waitForMail(test, publisher)).text).toContain('and hid the note')
})

it('a copyright claim answers the same where there is no such note, and keeps nothing', async () => {
  const before = (await claims()).length
  const hidden = await createNote(test, author)
  await inTransaction(db, (tx) => setHidden(tx, hidden, { rule: 'exam', reason: 'x' }))
  for (const note of [randomUUID(), hidden, `/notes/${randomUUID()}`]) {
    const answer = await claim({ note })
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(findTraces(author, answer)).toEqual([])
  }
  expect(await claims()).toHaveLength(before)
})

it('a copyright claim keeps nothing of what programs fill in, nor of what is not whole', async () => {
  const note = await createNote(test, author)
  const before = (await claims()).length
  expect((await claim({ note, website: 'http://buy.example' })).statusCode).toBe(204)
  const bad = [{ note: 'book' }, { note: 1 }, { name: ' ' }, { email: 'me' }, { text: '' }, { text: 'x'.repeat(1001) }]
  for (const body of bad) expect((await claim({ note, ...body })).json().code).toBe('invalid_input')
  expect(await claims()).toHaveLength(before)
})

it('a copyright claim is taken so often from one network and for one mailbox, over all servers', async () => {
  const note = await createNote(test, author)
  const mailbox = { note, email: 'often@press.example' }
  for (const [at, server] of [test, other, test].entries())
    expect((await claim({ ...mailbox, text: `Chapter ${at} of my book.` }, { server })).statusCode).toBe(204)
  const refused = await claim(mailbox, { server: other })
  expectRefusal(refused, 'rate_limited')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  for (let count = 0; count < 10; count++) {
    const email = `crowd.${count}@press.example`
    const server = count % 2 ? test : other
    expect((await claim({ note, email }, { from: '10.9.9.9', server })).statusCode).toBe(204)
  }
  expectRefusal(await claim({ note }, { from: '10.9.9.9' }), 'rate_limited')
})

it('a copyright claim is taken once as it is, and the second time the answer is the same whether or not there is a note', async () => {
  const note = await createNote(test, author)
  const stored = async () => (await claims()).filter(({ note_id }) => note_id === note)
  const sendTwice = async (of: string, email: string) => {
    const body = { note: of, email, text: 'Page 1 of my book.' }
    const answers = await Promise.all([claim(body), claim(body, { server: other })])
    const [first, second] = answers.sort((one, two) => one.statusCode - two.statusCode)
    expect([first.statusCode, first.body]).toEqual([204, ''])
    expectRefusal(second, 'claim_sent')
    return second.body
  }
  const ofOne = await sendTwice(note, 'twice@press.example')
  expect(await stored()).toHaveLength(1)
  expect(await sendTwice(randomUUID(), 'nowhere@press.example')).toBe(ofOne)
  // A day later the same claim is accepted, but not stored again while it is open.
  await sql`DELETE FROM rate_limits`.execute(db)
  const again = { note, email: 'twice@press.example', text: 'Page 1 of my book.' }
  expect((await claim(again)).statusCode).toBe(204)
  expect(await stored()).toHaveLength(1)
  expect((await claim({ ...again, text: 'Page 2 of my book.' })).statusCode).toBe(204)
  expect(await stored()).toHaveLength(2)
})

it('a copyright claim is answered where the note is deleted before a decision, and forgotten after a while', async () => {
  const note = await createNote(test, author)
  const email = 'gone@press.example'
  await claim({ note, email })
  await remove(test, `/api/users/me/notes/${note}`, author.auth)
  expect(await matterOf(note)).toBeUndefined()
  await notifyClaimantsOfDeletedNotes(test.deps)
  await notifyClaimantsOfDeletedNotes(test.deps)
  const told = new RegExp(`the note ${note}\\.\\s+That note no longer exists`)
  expect((await waitForMail(test, email)).text).toMatch(told)
  await sql`UPDATE copyright_claims SET decided_at = now() - interval '31 days' WHERE email = ${email}`.execute(db)
  await deleteOldClaims(db)
  expect((await claims()).filter((one) => one.email === email)).toEqual([])
  expect(mailsTo(test, email)).toHaveLength(1)
})

const [owner, reader] = await Promise.all([createUser(test), createUser(test)])
const report = (user: TestUser, noteId: string, body: object = { rule: 'copyright' }) =>
  post(test, `/api/notes/${noteId}/reports`, body, user.auth)
const reportsOf = (noteId: string) => db.selectFrom('reports').selectAll().where('note_id', '=', noteId).execute()

it.each([
  ['no rule', {}],
  ['a rule there is not', { rule: 'boring' }],
  ['something else without a text', { rule: 'other', text: '  ' }],
  ['a text that is too long', { rule: 'exam', text: 'x'.repeat(1_001) }],
  ['a text of another type', { rule: 'exam', text: ['a'] }],
])('POST /api/notes/{id}/reports refuses %s', async (_what, body) => {
  const noteId = await createNote(test, owner)
  expect((await report(reader, noteId, body)).json().code).toBe('invalid_input')
  expect(await reportsOf(noteId)).toEqual([])
})

it('POST /api/notes/{id}/reports accepts one report per student and note, also of fifty simultaneous ones', async () => {
  const noteId = await createNote(test, owner)
  const sent = Array.from({ length: 50 }, () => report(reader, noteId))
  await expectSuccesses(1, sent, 'already_reported')
  expect(await reportsOf(noteId)).toHaveLength(1)
  expect((await report(await createUser(test), noteId)).statusCode).toBe(204)
})

it('POST /api/notes/{id}/reports refuses the reporter’s own note, and an unknown one', async () => {
  const noteId = await createNote(test, owner, { isAnonymous: true })
  expectRefusal(await report(owner, noteId), 'own_note_report')
  expectRefusal(await report(owner, crypto.randomUUID()), 'note_not_found')
  expect(await reportsOf(noteId)).toEqual([])
})

it('POST /api/notes/{id}/reports limits reports per day, also simultaneous ones, and returns the limit', async () => {
  const busy = await createUser(test)
  const notes = await Promise.all(Array.from({ length: maxReportsPerDay + 3 }, () => createNote(test, owner)))
  const sent = notes.map((noteId) => report(busy, noteId))
  const message = `You can report up to ${maxReportsPerDay} notes per 24 hours. Try again in 24 hours.`
  const { refused } = await expectSuccesses(maxReportsPerDay, sent, 'too_many_reports', message)
  for (const answer of refused) {
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(24 * 3600 - 600)
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(24 * 3600)
  }
  const ofBusy = db.selectFrom('reports').where('reporter_id', '=', busy.id)
  expect(await ofBusy.selectAll().execute()).toHaveLength(maxReportsPerDay)
  await sql`UPDATE reports SET reported_at = '2026-01-01T00:00:00Z' WHERE reporter_id = ${busy.id}`.execute(db)
  expect((await report(busy, await createNote(test, owner))).statusCode).toBe(204)
})

it('POST /api/notes/{id}/reports keeps what was reported when its reporter leaves, and drops it with the note', async () => {
  const [leaver, noteId] = [await createUser(test), await createNote(test, owner)]
  await report(leaver, noteId)
  await db.deleteFrom('users').where('id', '=', leaver.id).execute()
  expect(await reportsOf(noteId)).toMatchObject([{ rule: 'copyright', reporter_id: null }])
  await db.deleteFrom('notes').where('id', '=', noteId).execute()
  expect(await reportsOf(noteId)).toEqual([])
})

it('POST /api/notes/{id}/reports takes another report of the same student when the one before is decided, within what a day allows', async () => {
  const [busy, noteId] = [await createUser(test), await createNote(test, owner)]
  const decided = { decided_at: new Date() }
  for (let count = 1; count <= maxReportsPerDay; count++) {
    expect((await report(busy, noteId)).statusCode).toBe(204)
    expectRefusal(await report(busy, noteId), 'already_reported')
    await db.updateTable('reports').set(decided).where('note_id', '=', noteId).execute()
  }
  expect((await report(busy, noteId)).json().code).toBe('too_many_reports')
})

it('POST /api/notes/{id}/reports deletes decided reports after 30 days, and those of a deleted account immediately', async () => {
  const [leaver, noteId] = [await createUser(test), await createNote(test, owner)]
  const other = await createNote(test, owner)
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
