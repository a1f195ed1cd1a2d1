import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Queue } from '../../../../packages/contract/moderation.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { createNote, createUser, openTestApp, openTestAppOn } from '../../../testing/app.ts'
import { canary, findTraces } from '../../../testing/canary.ts'
import { mailsTo, waitForMail } from '../../../testing/mails.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { post } from '../../../testing/students.ts'
import { setHidden } from '../../notes/notes.ts'
import { suspendMember } from '../suspensions/suspensions.ts'
import { deleteOldClaims, notifyClaimantsOfDeletedNotes } from './copyright-claims.ts'

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
  'goes from a person without an account to the moderators, who %s the note, and back by mail',
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

it('waits on where its note, hidden with its suspended author, is restored: that decides nothing about it', async () => {
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

it('answers the same where there is no such note, and keeps nothing', async () => {
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

it('keeps nothing of what programs fill in, nor of what is not whole', async () => {
  const note = await createNote(test, author)
  const before = (await claims()).length
  expect((await claim({ note, website: 'http://buy.example' })).statusCode).toBe(204)
  const bad = [
    { note: 'my book' },
    { note: 1 },
    { name: ' ' },
    { email: 'me' },
    { text: '' },
    { text: 'x'.repeat(1_001) },
  ]
  for (const body of bad) expect((await claim({ note, ...body })).json().code).toBe('invalid_input')
  expect(await claims()).toHaveLength(before)
})

it('is taken so often from one network and for one mailbox, over all servers', async () => {
  const note = await createNote(test, author)
  const mailbox = { note, email: 'often@press.example' }
  for (const [at, server] of [test, other, test].entries()) {
    expect((await claim({ ...mailbox, text: `Chapter ${at} of my book.` }, { server })).statusCode).toBe(204)
  }
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

it('is taken once as it is, and the second time the answer is the same whether or not there is a note', async () => {
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

it('is answered where the note is deleted before a decision, and forgotten after a while', async () => {
  const note = await createNote(test, author)
  const email = 'gone@press.example'
  await claim({ note, email })
  await test.app.inject({ method: 'DELETE', url: `/api/users/me/notes/${note}`, headers: author.auth })
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
