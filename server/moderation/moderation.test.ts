import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { Endpoint } from '../../contract/endpoint.ts'
import * as endpoints from '../../contract/moderation.endpoints.ts'
import { decisionsPageSize, type OwnMatter, type Queue } from '../../contract/moderation.ts'
import { setRole } from '../roles/roles.ts'
import { openTestApp } from '../test/app.ts'
import { canary, expectNoTrace } from '../test/canary.ts'
import { createNote, createUser, type TestUser } from '../test/factories.ts'
import { mailsTo, waitForMail } from '../test/mails.ts'
import { expectRefusal } from '../test/refusal.ts'
import { post } from '../test/students.ts'

const lines: string[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const test = await openTestApp({}, pino({ level: 'debug' }, stream))
const { db } = test.deps
const [author, reader] = await Promise.all([createUser(test), createUser(test)])

async function createModerator(given?: Parameters<typeof createUser>[1]): Promise<TestUser> {
  const user = await createUser(test, given)
  await setRole(test.deps, user.email, 'moderator')
  return user
}
const [moderator, colleague] = await Promise.all([createModerator(), createModerator()])

const get = (user: TestUser, url: string) => test.app.inject({ url, headers: user.auth })
const report = (user: TestUser, noteId: string, body: object = { rule: 'exam', text: 'Zqxreport' }) =>
  post(test, `/api/notes/${noteId}/reports`, body, user.auth)
const decide = (user: TestUser, noteId: string, decision: object) =>
  post(test, `/api/moderation/notes/${noteId}/decisions`, decision, user.auth)
const ask = (user: TestUser, noteId: string, text: string) =>
  post(test, `/api/moderation/notes/${noteId}/question`, { text }, user.auth)
const object = (user: TestUser, noteId: string, text = 'It is last year’s.') =>
  post(test, `/api/users/me/notes/${noteId}/objection`, { text }, user.auth)
const answer = (user: TestUser, noteId: string, text = 'I wrote it myself.') =>
  post(test, `/api/users/me/notes/${noteId}/answer`, { text }, user.auth)

const hide = { kind: 'hide', rule: 'exam', reason: 'It is still written.' }
const keep = { kind: 'keep', rule: 'exam', reason: 'It was published in 2019.' }
const restore = { kind: 'restore', rule: 'exam', reason: 'Its author was right.' }
const uphold = { kind: 'uphold', rule: 'exam', reason: 'It is this year’s.' }

const queueOf = async (user: TestUser) => (await get(user, '/api/moderation/queue')).json<Queue>().matters
const inQueue = async (noteId: string, user = moderator) =>
  (await queueOf(user)).find(({ note }) => note._id === noteId)
const mattersOf = async (user: TestUser) =>
  (await get(user, '/api/users/me/moderation')).json<{ matters: OwnMatter[] }>().matters
const latestDecisions = async (user = reader) => (await get(user, '/api/decisions')).json().decisions

/** A note of the author that somebody has reported. */
async function createReported(of = author, given: Parameters<typeof createNote>[2] = {}): Promise<string> {
  const noteId = await createNote(test, of, given)
  expect((await report(reader, noteId)).statusCode).toBe(204)
  return noteId
}

it('is not there for students, whatever they send, and no longer for who was a moderator', async () => {
  const closed = Object.values<Endpoint>(endpoints).filter(({ role }) => role !== undefined)
  expect(closed).toHaveLength(4)
  const former = await createModerator()
  const call = ({ method, path }: Endpoint, user: TestUser) =>
    test.app.inject({
      method,
      url: path.replace(':id', 'x'),
      headers: user.auth,
      payload: method === 'POST' ? '{' : undefined,
    })
  for (const endpoint of closed) expect((await call(endpoint, former)).json().code).not.toBe('not_found')
  await setRole(test.deps, former.email, 'student')
  for (const endpoint of closed) {
    for (const user of [reader, former]) expectRefusal(await call(endpoint, user), 'not_found')
  }
})

it('goes from a report to a hidden note, to its author’s objection and to the note as it was', async () => {
  const noteId = await createNote(test, author, { title: 'Old exams' })
  await test.app.inject({
    method: 'PATCH',
    url: `/api/notes/${noteId}/rating`,
    headers: reader.auth,
    payload: { likes: '+' },
  })
  await report(reader, noteId)
  await report(await createUser(test), noteId, { rule: 'copyright' })
  expect((await inQueue(noteId))?.reports).toMatchObject([{ rule: 'exam', text: 'Zqxreport' }, { rule: 'copyright' }])

  const mailed = mailsTo(test, author.email).length
  expect((await decide(moderator, noteId, hide)).statusCode).toBe(204)
  expect(await inQueue(noteId)).toBeUndefined()
  expectRefusal(await get(reader, `/api/notes/${noteId}`), 'note_not_found')
  const mail = await waitForMail(test, author.email, mailed + 1)
  for (const told of ['Old exams', 'Exam under lock', hide.reason]) expect(mail.text).toContain(told)
  expect(await mattersOf(author)).toMatchObject([
    {
      note: { _id: noteId, hidden: { rule: 'exam', reason: hide.reason } },
      mayObject: true,
      isObjectionDecided: false,
    },
  ])
  expect((await get(moderator, '/api/moderation/hidden')).json().notes[0]._id).toBe(noteId)

  expect((await object(author, noteId)).statusCode).toBe(204)
  expectRefusal(await object(author, noteId, 'And another thing.'), 'nothing_to_object')
  expect(await inQueue(noteId)).toMatchObject({ reports: [], objection: { text: 'It is last year’s.' } })
  expect((await get(moderator, `/api/notes/${noteId}/view`)).statusCode).toBe(200)

  expect((await decide(colleague, noteId, restore)).statusCode).toBe(204)
  expect((await get(reader, `/api/notes/${noteId}`)).json()).toMatchObject({ likes: 1 })
  expect((await get(reader, `/api/notes/${noteId}`)).json()).not.toHaveProperty('hidden')
  expect(await inQueue(noteId)).toBeUndefined()
  expect(await mattersOf(author)).toEqual([])
  expect((await waitForMail(test, author.email, mailed + 2)).text).toContain('with all the likes it had')
  expect((await latestDecisions()).slice(0, 2)).toMatchObject([restore, hide])
})

it('keeps a note hidden whose author objects in vain, who may object anew when it is hidden anew', async () => {
  const noteId = await createReported()
  await decide(moderator, noteId, hide)
  expectRefusal(await decide(moderator, noteId, uphold), 'nothing_to_decide')
  await object(author, noteId)
  expect((await decide(moderator, noteId, uphold)).statusCode).toBe(204)
  expect(await inQueue(noteId)).toBeUndefined()
  expect(await mattersOf(author)).toMatchObject([{ mayObject: false, isObjectionDecided: true }])
  expectRefusal(await object(author, noteId), 'nothing_to_object')

  await decide(moderator, noteId, restore)
  expectRefusal(await object(author, noteId), 'nothing_to_object')
  await report(await createUser(test), noteId)
  await decide(moderator, noteId, hide)
  expect((await object(author, noteId)).statusCode).toBe(204)
  await db.deleteFrom('notes').where('id', '=', noteId).execute()
})

it('asks the author before it decides, and tells them how it ended', async () => {
  const asked = await createUser(test)
  const reported = await createReported(asked)
  expectRefusal(await answer(asked, reported), 'not_asked')
  expect((await ask(moderator, reported, 'Did you write it?')).statusCode).toBe(204)
  expect((await waitForMail(test, asked.email)).text).toContain('Did you write it?')
  expect((await queueOf(moderator)).at(-1)).toMatchObject({
    note: { _id: reported },
    question: { text: 'Did you write it?' },
  })
  expect(await mattersOf(asked)).toMatchObject([{ question: { text: 'Did you write it?' }, mayObject: false }])

  expect((await answer(asked, reported)).statusCode).toBe(204)
  expectRefusal(await answer(asked, reported), 'not_asked')
  expect(await inQueue(reported)).toMatchObject({ answer: { text: 'I wrote it myself.' } })
  expect((await decide(moderator, reported, keep)).statusCode).toBe(204)
  expect((await waitForMail(test, asked.email, 2)).text).toContain('It stays as it is')
  expect(await mattersOf(asked)).toEqual([])
})

it('keeps a note without its author learning that it was reported', async () => {
  const unaware = await createUser(test)
  const noteId = await createReported(unaware)
  expect((await decide(moderator, noteId, keep)).statusCode).toBe(204)
  expect(await inQueue(noteId)).toBeUndefined()
  const { rows } =
    await sql`SELECT FROM pgboss.job WHERE name = 'moderation-mail' AND data->>'noteId' = ${noteId}`.execute(db)
  expect(rows).toEqual([])
  expect(await mattersOf(unaware)).toEqual([])
})

it('corrects course, year and instructor, and nothing else', async () => {
  const noteId = await createReported(author, { title: 'Rings', instructor: 'Noether' })
  const before = (await get(reader, `/api/notes/${noteId}`)).json()
  const correct = { kind: 'correct', rule: 'wrong_course', reason: 'It is for MAT301.', courseCode: 'mat301' }
  expectRefusal(
    await decide(moderator, noteId, { ...correct, academicYear: '1999–00' }),
    'invalid_input',
    'Please choose an academic year like 2026–27.',
  )
  expect((await decide(moderator, noteId, { ...correct, academicYear: '2024–25', title: 'Hacked' })).statusCode).toBe(
    204,
  )
  const { instructor: _gone, ...kept } = before
  expect((await get(reader, `/api/notes/${noteId}`)).json()).toEqual({
    ...kept,
    courseCode: 'MAT301',
    academicYear: '2024–25',
  })
})

it('is decided once, however many moderators press at once', async () => {
  const noteId = await createReported()
  const before = (await latestDecisions()).length
  const answers = await Promise.all(
    [hide, keep, hide, keep, hide].map((decision) => decide(moderator, noteId, decision)),
  )
  expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
  for (const refused of answers.filter(({ statusCode }) => statusCode !== 204))
    expectRefusal(refused, 'nothing_to_decide')
  expect(await latestDecisions()).toHaveLength(before + 1)
  expectRefusal(await ask(moderator, noteId, 'Why?'), 'nothing_to_decide')
})

it('leaves moderators’ own notes to others', async () => {
  const noteId = await createReported(moderator, { isAnonymous: true })
  expect(await inQueue(noteId, moderator)).toBeUndefined()
  expect(await inQueue(noteId, colleague)).toMatchObject({ note: { user: null } })
  expectRefusal(await decide(moderator, noteId, keep), 'own_note_decision')
  expectRefusal(await ask(moderator, noteId, 'Why?'), 'own_note_decision')
  await decide(colleague, noteId, hide)
  expect((await get(moderator, '/api/moderation/hidden')).body).not.toContain(noteId)
  expect((await object(moderator, noteId)).statusCode).toBe(204)
  expectRefusal(await decide(moderator, noteId, restore), 'own_note_decision')
})

it('names neither an anonymous author nor a reporter, in no answer to anybody and in no log', async () => {
  const hiddenAuthor = await createUser(test, canary)
  const witness = await createUser(test, { name: 'Wanda Witness' })
  const noteId = await createNote(test, hiddenAuthor, { isAnonymous: true })
  await report(witness, noteId)
  const admin = await createUser(test)
  await setRole(test.deps, admin.email, 'admin')
  const everything = async () => {
    for (const user of [moderator, admin]) {
      for (const url of [
        '/api/moderation/queue',
        '/api/moderation/hidden',
        `/api/notes/${noteId}`,
        `/api/notes/${noteId}/view`,
        '/api/decisions',
      ]) {
        const told = await get(user, url)
        expectNoTrace(hiddenAuthor, told)
        for (const trace of [witness.id, witness.name, witness.email]) expect(told.body).not.toContain(trace)
      }
    }
    for (const url of ['/api/users/me/moderation', '/api/users/me/notes', '/api/decisions']) {
      const told = await get(hiddenAuthor, url)
      for (const trace of [witness.id, witness.name, moderator.id, 'Zqxreport']) expect(told.body).not.toContain(trace)
    }
  }
  await ask(moderator, noteId, 'Is it yours?')
  await answer(hiddenAuthor, noteId)
  await everything()
  expectNoTrace(hiddenAuthor, await decide(moderator, noteId, hide))
  await object(hiddenAuthor, noteId)
  await everything()
  await decide(admin, noteId, uphold)
  await everything()
  const { rows } = await sql<{ text: string }>`
    SELECT t::text AS text FROM audit_entries t UNION ALL SELECT t::text FROM decisions t UNION ALL SELECT t::text FROM moderated_notes t`.execute(
    db,
  )
  // Of the question there is no mail where the answer was quicker.
  const subjects = () => mailsTo(test, hiddenAuthor.email).map(({ subject }) => subject)
  await expect.poll(subjects, { timeout: 60_000 }).toContain('A note of yours stays hidden')
  expect(lines.join('')).toContain('/api/moderation/queue')
  for (const { id, email } of [hiddenAuthor, witness]) {
    for (const trace of [id, email]) expect(lines.join('')).not.toContain(trace)
  }
  for (const { text } of rows) for (const { id } of [hiddenAuthor, witness]) expect(text).not.toContain(id)
  await db.deleteFrom('notes').where('id', '=', noteId).execute()
})

it('writes down who decided on what, and neither of it where members read', async () => {
  const noteId = await createReported()
  await decide(moderator, noteId, keep)
  const entries = await db.selectFrom('audit_entries').selectAll().where('subject_id', '=', noteId).execute()
  const [{ number, ...told }] = await latestDecisions()
  expect(entries).toMatchObject([
    { actor_id: moderator.id, action: 'decision', details: { kind: 'keep', decision: String(number) } },
  ])
  expect(Object.keys(told).toSorted()).toEqual(['decidedAt', 'kind', 'reason', 'rule'])
  await expect(sql`DELETE FROM decisions`.execute(db)).rejects.toThrow('only ever added to')
})

it('lists all decisions page by page, the latest first', async () => {
  await sql`INSERT INTO decisions (kind, rule, reason) SELECT 'keep', 'other', 'No. ' || n FROM generate_series(1, 60) n`.execute(
    db,
  )
  const numbers: number[] = []
  for (let hasMore = true; hasMore; ) {
    const before = numbers.at(-1)
    const page = (await get(reader, `/api/decisions${before === undefined ? '' : `?before=${before}`}`)).json()
    expect(page.decisions.length).toBe(page.hasMore ? decisionsPageSize : page.decisions.length)
    numbers.push(...page.decisions.map(({ number }: { number: number }) => number))
    hasMore = page.hasMore
  }
  const all = await db.selectFrom('decisions').select('number').orderBy('number', 'desc').execute()
  expect(numbers).toEqual(all.map(({ number }) => number))
  expect((await get(reader, '/api/decisions?before=x')).statusCode).toBe(400)
})

it('hides the note of somebody who has left, and tells nobody', async () => {
  const noteId = await createReported(author, { isAnonymous: true })
  await db.updateTable('notes').set({ user_id: null }).where('id', '=', noteId).execute()
  const mailed = mailsTo(test, author.email).length
  expect((await decide(moderator, noteId, hide)).statusCode).toBe(204)
  const isDone = async () => {
    const { rows } =
      await sql`SELECT FROM pgboss.job WHERE name = 'moderation-mail' AND data->>'noteId' = ${noteId} AND state = 'completed'`.execute(
        db,
      )
    return rows.length
  }
  await expect.poll(isDone, { timeout: 60_000 }).toBe(1)
  expect(mailsTo(test, author.email)).toHaveLength(mailed)
})

it.each([
  ['a kind there is not', { ...hide, kind: 'burn' }],
  ['no reason', { ...hide, reason: '  ' }],
  ['a rule there is not', { ...hide, rule: 'boring' }],
  ['a correction without a course', { ...hide, kind: 'correct', academicYear: '2024–25' }],
])('refuses a decision of %s', async (_what, decision) => {
  const noteId = await createReported()
  expect((await decide(moderator, noteId, decision)).json().code).toBe('invalid_input')
  expect(await inQueue(noteId)).toBeDefined()
  await decide(moderator, noteId, keep)
})
