import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { HiddenNotes, OwnModerationCase, Queue } from '../../../packages/contract/moderation.ts'
import { casePageSize, decisionsPageSize, maxQuestions } from '../../../packages/contract/moderation.ts'
import { createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { canary, expectNoLeak } from '../../testing/canary.ts'
import { drainJobs } from '../../testing/drain-jobs.ts'
import { recordLog } from '../../testing/log.ts'
import { mailsTo, waitForMail } from '../../testing/mails.ts'
import { expectRefusal, expectSuccesses } from '../../testing/refusal.ts'
import { patch, post } from '../../testing/students.ts'
import { whileLocked } from '../../testing/with-blocked-query.ts'
import { setRole } from '../auth/roles/roles.ts'
import { redactDecision } from './moderation.ts'
import { suspendMember } from './suspensions/suspensions.ts'

const { lines, log } = recordLog('debug')
const test = await openTestApp({}, log)
const { db } = test.deps
const [author, reader] = await Promise.all([createUser(test), createUser(test)])
const createModerator = () => createUser(test, { role: 'moderator' })
const [moderator, colleague] = await Promise.all([createModerator(), createModerator()])
const get = (user: TestUser, url: string) => test.app.inject({ url, headers: user.auth })
const report = (user: TestUser, noteId: string, body: object = { rule: 'exam', text: 'Zqxreport' }) =>
  post(test, `/api/notes/${noteId}/reports`, body, user.auth)
const decide = (user: TestUser, noteId: string, decision: object, headers = {}) =>
  post(test, `/api/moderation/notes/${noteId}/decisions`, decision, { ...user.auth, ...headers })
const ask = (user: TestUser, noteId: string, text: string) =>
  post(test, `/api/moderation/notes/${noteId}/question`, { text }, user.auth)
const object = (user: TestUser, noteId: string, text = 'It is last year’s.') =>
  post(test, `/api/users/me/notes/${noteId}/objection`, { text }, user.auth)
/** @param questionId defaults to the latest question that the author can see. */
async function answer(user: TestUser, noteId: string, text = 'I wrote it myself.', questionId?: string) {
  const asked = (await mattersOf(user)).find(({ note }) => note._id === noteId)?.questions.at(-1)?.id
  const body = { text, questionId: questionId ?? asked ?? crypto.randomUUID() }
  return post(test, `/api/users/me/notes/${noteId}/answer`, body, user.auth)
}

const suspension = { days: null, reason: 'Sold exams.', hidesNotes: false }
const hide = { kind: 'hide', rule: 'exam', reason: 'It is still written.' }
const keep = { kind: 'keep', rule: 'exam', reason: 'It was published in 2019.' }
const restore = { kind: 'restore', rule: 'exam', reason: 'Its author was right.' }
const uphold = { kind: 'uphold', rule: 'exam', reason: 'It is this year’s.' }
const queueOf = async (user: TestUser) => (await get(user, '/api/moderation/queue')).json<Queue>().matters
const inQueue = async (noteId: string, user = moderator) =>
  (await queueOf(user)).find(({ note }) => note._id === noteId)
const mattersOf = async (user: TestUser) =>
  (await get(user, '/api/users/me/moderation')).json<{ matters: OwnModerationCase[] }>().matters
const latestDecisions = async (user = reader) => (await get(user, '/api/decisions')).json().decisions

/** Creates a note with a report by `reader`. */
async function createReported(of = author, given: Parameters<typeof createNote>[2] = {}): Promise<string> {
  const noteId = await createNote(test, of, given)
  expect((await report(reader, noteId)).statusCode).toBe(204)
  return noteId
}

it('goes from a report to a hidden note, to its author’s objection and to the note as it was', async () => {
  const noteId = await createNote(test, author, { title: 'Old exams' })
  await patch(test, `/api/notes/${noteId}/rating`, { likes: '+' }, reader.auth)
  await report(reader, noteId)
  await report(await createUser(test), noteId, { rule: 'copyright' })
  const { reports = [] } = (await inQueue(noteId)) ?? {}
  expect(reports).toMatchObject([{ rule: 'exam', text: 'Zqxreport' }, { rule: 'copyright' }])
  expect(reports[0]?.at).toMatch(/:00\.000Z$/)
  const mailed = mailsTo(test, author.email).length
  expect((await decide(moderator, noteId, hide)).statusCode).toBe(204)
  expect(await inQueue(noteId)).toBeUndefined()
  expectRefusal(await get(reader, `/api/notes/${noteId}`), 'note_not_found')
  const mail = await waitForMail(test, author.email, mailed + 1)
  for (const shown of ['Old exams', 'Unreleased exam', hide.reason]) expect(mail.text).toContain(shown)
  const note = { _id: noteId, hidden: { rule: 'exam', reason: hide.reason } }
  expect(await mattersOf(author)).toMatchObject([{ note, mayObject: true, isObjectionDecided: false }])
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
  expect((await waitForMail(test, author.email, mailed + 2)).text).toContain('is visible to everyone again')
  expect((await latestDecisions()).slice(0, 2)).toMatchObject([restore, hide])
})

it('keeps a note hidden whose author’s objection is rejected, and accepts an objection when it is hidden again', async () => {
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
  const questions = [{ text: 'Did you write it?' }]
  expect((await queueOf(moderator)).at(-1)).toMatchObject({ note: { _id: reported }, questions })
  expect(await mattersOf(asked)).toMatchObject([{ questions, mayObject: false }])
  expect((await answer(asked, reported)).statusCode).toBe(204)
  expectRefusal(await answer(asked, reported), 'not_asked')
  const answered = [{ text: 'Did you write it?', answer: { text: 'I wrote it myself.' } }]
  expect(await inQueue(reported)).toMatchObject({ questions: answered })
  expect((await decide(moderator, reported, keep)).statusCode).toBe(204)
  expect((await waitForMail(test, asked.email, 2)).text).toMatch(/The moderators reviewed “.*” and kept it as it is\./)
  expect(await mattersOf(asked)).toEqual([])
})

it('asks one question after the other, each with the answer that was given to it', async () => {
  const asked = await createUser(test)
  const noteId = await createReported(asked)
  await ask(moderator, noteId, 'Question 1')
  const [first] = (await mattersOf(asked))[0]?.questions ?? []
  const asking = await Promise.all([moderator, colleague, moderator].map((user) => ask(user, noteId, 'And another?')))
  for (const refused of asking) expectRefusal(refused, 'question_open')
  expect((await answer(asked, noteId, 'Answer 1')).statusCode).toBe(204)
  expect((await ask(colleague, noteId, 'Question 2')).statusCode).toBe(204)
  expectRefusal(await answer(asked, noteId, 'Answer 1 again', first?.id), 'question_replaced')
  expectRefusal(await answer(asked, noteId, 'Anything', crypto.randomUUID()), 'question_replaced')
  expect((await answer(asked, noteId, 'Answer 2')).statusCode).toBe(204)
  const said = [1, 2].map((n) => ({ text: `Question ${n}`, answer: { text: `Answer ${n}` } }))
  expect((await inQueue(noteId))?.questions).toMatchObject(said)
  expect((await mattersOf(asked))[0]?.questions).toMatchObject(said)
  for (let n = 3; n <= maxQuestions; n++) {
    expect((await ask(moderator, noteId, `Question ${n}`)).statusCode).toBe(204)
    await answer(asked, noteId)
  }
  const message = `You’ve asked the author ${maxQuestions} questions. Please make a decision.`
  expectRefusal(await ask(moderator, noteId, 'Once more?'), 'too_many_questions', message)
  await decide(moderator, noteId, keep)
  await report(await createUser(test), noteId)
  expect((await inQueue(noteId))?.questions).toEqual([])
  expect((await ask(moderator, noteId, 'Something else?')).statusCode).toBe(204)
  expectRefusal(await answer(asked, noteId, 'Answer 1', first?.id), 'question_replaced')
  await decide(moderator, noteId, keep)
})

it('decides on a note by its address: one restored by mistake is hidden again, without a report', async () => {
  const noteId = await createReported()
  await decide(moderator, noteId, hide)
  await decide(moderator, noteId, restore)
  expectRefusal(await decide(moderator, noteId, hide), 'nothing_to_decide')
  expectRefusal(await decide(moderator, noteId, { ...keep, reportsRead: 0 }), 'nothing_to_decide')
  const matter = (await get(colleague, `/api/moderation/notes/${noteId}`)).json()
  expect(matter).toMatchObject({ note: { _id: noteId }, reports: [], questions: [] })
  expect((await decide(colleague, noteId, { ...hide, reportsRead: 0 })).statusCode).toBe(204)
  expectRefusal(await get(reader, `/api/notes/${noteId}`), 'note_not_found')
  expectRefusal(await decide(colleague, noteId, { ...hide, reportsRead: 0 }), 'nothing_to_decide')
  expect((await get(moderator, `/api/moderation/notes/${noteId}`)).json().note.hidden).toMatchObject({ rule: 'exam' })
  const own = await createNote(test, moderator, { isAnonymous: true })
  expectRefusal(await get(moderator, `/api/moderation/notes/${own}`), 'own_note_decision')
  expectRefusal(await decide(moderator, own, { ...hide, reportsRead: 0 }), 'own_note_decision')
  expectRefusal(await get(moderator, `/api/moderation/notes/${crypto.randomUUID()}`), 'note_not_found')
})

it('closes no report that the moderator has not read', async () => {
  const noteId = await createReported()
  await report(await createUser(test), noteId, { rule: 'copyright' })
  for (const reportsRead of [0, 1])
    expectRefusal(await decide(moderator, noteId, { ...hide, reportsRead }), 'new_reports')
  expect((await inQueue(noteId))?.reports).toHaveLength(2)
  expect((await decide(moderator, noteId, { ...keep, reportsRead: 2 })).statusCode).toBe(204)
})

it('accepts no objection to a note that a suspension hid and that will be shown again', async () => {
  const returning = await createUser(test)
  const noteId = await createNote(test, returning, { isAnonymous: true })
  const hidden = { hidden_at: new Date(), hidden_rule: 'other', hidden_reason: 'It will be shown again.' }
  const due = { ...hidden, due_at: new Date(Date.now() + 86_400_000) }
  await db.updateTable('notes').set(due).where('id', '=', noteId).execute()
  expect(await mattersOf(returning)).toMatchObject([{ mayObject: false }])
  expectRefusal(await object(returning, noteId), 'nothing_to_object')
  await db.deleteFrom('notes').where('id', '=', noteId).execute()
})

it('counts cases that wait for moderators, without the moderator’s own and those that wait for authors, for a week at most', async () => {
  const count = async (user: TestUser) => (await get(user, '/api/moderation/waiting')).json().count
  const [before, beforeOfColleague] = [await count(moderator), await count(colleague)]
  const noteId = await createReported()
  const own = await createReported(moderator)
  expect(await count(moderator)).toBe(before + 1)
  expect(await count(colleague)).toBe(beforeOfColleague + 2)
  await ask(moderator, noteId, 'Why?')
  expect(await count(moderator)).toBe(before)
  await sql`UPDATE moderation_questions SET asked_at = now() - interval '7 days' WHERE note_id = ${noteId}`.execute(db)
  expect(await count(moderator)).toBe(before + 1)
  await decide(moderator, noteId, hide)
  await decide(colleague, own, keep)
  expect(await count(moderator)).toBe(before)
  await object(author, noteId)
  expect(await count(moderator)).toBe(before + 1)
  await decide(moderator, noteId, uphold)
})

it('lists all hidden notes page by page, hidden last first', async () => {
  await Promise.all(Array.from({ length: casePageSize + 5 }, () => createNote(test, author, { title: 'Zqxhidden' })))
  await sql`UPDATE notes SET hidden_at = date_trunc('hour', now()) - (row.n % 7) * interval '1 hour', hidden_rule = 'exam',
    hidden_reason = 'No.' FROM (SELECT id, row_number() OVER () AS n FROM notes WHERE title = 'Zqxhidden') row
    WHERE row.id = notes.id`.execute(db)
  const seen: string[] = []
  for (let after = ''; ; ) {
    const page = (await get(moderator, `/api/moderation/hidden${after}`)).json<HiddenNotes>()
    seen.push(...page.notes.map(({ _id }) => _id))
    const last = page.notes.at(-1)
    if (!page.hasMore || !last) break
    expect(page.notes).toHaveLength(casePageSize)
    after = `?after=${last.hidden?.at},${last._id}`
  }
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM notes WHERE hidden_at IS NOT NULL AND user_id IS DISTINCT FROM ${moderator.id}
     ORDER BY hidden_at DESC, id`.execute(db)
  expect(seen).toEqual(rows.map(({ id }) => id))
  expect((await get(moderator, '/api/moderation/hidden?after=x')).json().code).toBe('invalid_input')
  await db.deleteFrom('notes').where('title', '=', 'Zqxhidden').execute()
})

it('refuses the decision of a moderator who lost the role, or was suspended, while it waited for the note', async () => {
  const [noteId, former] = [await createReported(), await createModerator()]
  const decideWhile = (happens: () => Promise<unknown>) =>
    whileLocked(test, {
      hold: (tx) => sql`SELECT FROM notes WHERE id = ${noteId} FOR UPDATE`.execute(tx),
      ask: () => decide(former, noteId, hide),
      happens,
    })
  const suspend = () => suspendMember(test.deps, null, former.id, suspension)
  expectRefusal(await decideWhile(() => setRole(test.deps, former.email, 'student')), 'not_found')
  await setRole(test.deps, former.email, 'moderator')
  expectRefusal(await decideWhile(suspend), 'unauthorized')
  expect(await inQueue(noteId)).toBeDefined()
  await decide(moderator, noteId, keep)
})

it('lets the operator remove a reason from the log, and change nothing else there', async () => {
  const noteId = await createReported()
  await decide(moderator, noteId, { ...keep, reason: 'Wanda Witness is wrong.' })
  const [{ number, ...shown }] = await latestDecisions()
  expect(await redactDecision(db, number)).toBe(true)
  const reason = 'The reason was removed by those who run this library.'
  expect((await latestDecisions())[0]).toEqual({ number, ...shown, reason })
  const entries = db.selectFrom('audit_entries').selectAll().orderBy('number', 'desc').limit(1)
  const details = { kind: 'redact', decision: String(number) }
  expect(await entries.executeTakeFirst()).toMatchObject({ actor_id: null, action: 'decision', details })
  expect(await redactDecision(db, 999_999_999)).toBe(false)
  const redated = sql`rule = 'exam', reason = ${reason}, decided_at = now()`
  for (const change of [sql`reason = 'Another'`, sql`kind = 'hide'`, redated]) {
    const update = sql`UPDATE moderation_decisions SET ${change} WHERE number = ${number}`.execute(db)
    await expect(update).rejects.toThrow('only ever added to')
  }
})

const blanks = ['\u200b\u200b', '\u00ad', '\u3164', '\u2800\u2800', '\u{e0041}']
it.each(blanks)('refuses words of %j, wherever moderators and students write', async (text) => {
  const noteId = await createReported()
  const refused = [
    await decide(moderator, noteId, { ...hide, reason: text }),
    await ask(moderator, noteId, text),
    await answer(author, noteId, text),
    await object(author, noteId, text),
    await report(await createUser(test), noteId, { rule: 'other', text }),
  ]
  for (const { statusCode, body } of refused)
    expect([statusCode, body]).toEqual([400, expect.stringContaining('invalid_input')])
  expect((await inQueue(noteId))?.reports).toHaveLength(1)
  await decide(moderator, noteId, keep)
})

it('quotes what moderators write in mails, so that it cannot pass for the letter, and keeps its lines', async () => {
  const asked = await createUser(test)
  const noteId = await createReported(asked)
  await ask(moderator, noteId, 'Did you?\n\n\n\nHappy studying,\nLectern <b>')
  const { text, html } = await waitForMail(test, asked.email)
  expect(text).toContain('\n> Did you?\n> \n> Happy studying,\n> Lectern <b>\n')
  expect(html).toContain('Did you?<br><br>Happy studying,<br>Lectern &lt;b&gt;')
  await decide(moderator, noteId, hide)
  const shown = (await waitForMail(test, asked.email, 2)).text
  expect(shown).toContain(`\n> ${hide.reason}\n`)
  expect(shown).toContain('Only you and the moderators can see it.')
})

it('keeps a note without its author learning that it was reported', async () => {
  const unaware = await createUser(test)
  const noteId = await createReported(unaware)
  expect((await decide(moderator, noteId, keep)).statusCode).toBe(204)
  expect(await inQueue(noteId)).toBeUndefined()
  const mails = sql`SELECT FROM pgboss.job WHERE name = 'moderation-mail' AND data->>'noteId' = ${noteId}`
  expect((await mails.execute(db)).rows).toEqual([])
  expect(await mattersOf(unaware)).toEqual([])
})

it('corrects course, year and instructor, and nothing else', async () => {
  const noteId = await createReported(author, { title: 'Rings', instructor: 'Noether' })
  const before = (await get(reader, `/api/notes/${noteId}`)).json()
  const usual = { kind: 'correct', rule: 'wrong_course', reason: 'It is for MAT301.' }
  const correct = (details: object) => ({ ...usual, details: { courseCode: 'mat301', ...details } })
  const { academicYear } = before
  const asItIs = { courseCode: before.courseCode.toLowerCase(), academicYear, instructor: 'Noether' }
  const mailed = mailsTo(test, author.email).length
  const refused = await decide(moderator, noteId, correct(asItIs))
  expect(refused.json().fields).toEqual({ courseCode: 'Change at least one field.' })
  expect(mailsTo(test, author.email)).toHaveLength(mailed)
  expect(await inQueue(noteId)).toBeDefined()
  const unclear = await decide(moderator, noteId, correct({ courseCode: '-' }))
  expect(unclear.json().fields).toEqual({ courseCode: 'A course code needs at least one letter or digit.' })
  const long = await decide(moderator, noteId, correct({ academicYear: '1999–00' }))
  expectRefusal(long, 'invalid_input', 'Choose an academic year like 2026–27.')
  const { version } = (await inQueue(noteId))?.note ?? {}
  await patch(test, `/api/users/me/notes/${noteId}/details`, { instructor: 'Emmy Noether' }, author.auth)
  const ifMatch = { 'if-match': `"${version}"` }
  expectRefusal(await decide(moderator, noteId, correct({ instructor: null }), ifMatch), 'outdated')
  const corrected = correct({ academicYear: '2024–25', title: 'Hacked' })
  expect((await decide(moderator, noteId, corrected)).statusCode).toBe(204)
  const after = { ...before, courseCode: 'MAT301', academicYear: '2024–25', instructor: 'Emmy Noether' }
  expect((await get(reader, `/api/notes/${noteId}`)).json()).toEqual(after)
  await report(colleague, noteId)
  expect((await decide(moderator, noteId, correct({ instructor: null }))).statusCode).toBe(204)
  expect((await get(reader, `/api/notes/${noteId}`)).json()).toEqual({ ...after, instructor: undefined })
})

it('is decided once, even if many moderators decide simultaneously', async () => {
  const noteId = await createReported()
  const count = async () => (await db.selectFrom('moderation_decisions').select('number').execute()).length
  const before = await count()
  const decisions = [hide, keep, hide, keep, hide].map((decision) => decide(moderator, noteId, decision))
  await expectSuccesses(1, decisions, 'nothing_to_decide')
  expect(await count()).toBe(before + 1)
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

it('names neither an anonymous author nor a reporter, in any response or log', async () => {
  const hiddenAuthor = await createUser(test, canary)
  const witness = await createUser(test, { name: 'Wanda Witness' })
  const noteId = await createNote(test, hiddenAuthor, { isAnonymous: true })
  await report(witness, noteId)
  const admin = await createUser(test, { role: 'admin' })
  const everything = async () => {
    const queues = ['/api/moderation/queue', '/api/moderation/hidden', '/api/decisions']
    for (const user of [moderator, admin]) {
      for (const url of [...queues, `/api/notes/${noteId}`, `/api/notes/${noteId}/view`]) {
        const shown = await get(user, url)
        expectNoLeak(hiddenAuthor, shown)
        for (const trace of [witness.id, witness.name, witness.email]) expect(shown.body).not.toContain(trace)
      }
    }
    for (const url of ['/api/users/me/moderation', '/api/users/me/notes', '/api/decisions']) {
      const shown = await get(hiddenAuthor, url)
      for (const trace of [witness.id, witness.name, moderator.id, 'Zqxreport']) expect(shown.body).not.toContain(trace)
    }
  }
  await ask(moderator, noteId, 'Is it yours?')
  await answer(hiddenAuthor, noteId)
  await everything()
  expectNoLeak(hiddenAuthor, await decide(moderator, noteId, hide))
  await object(hiddenAuthor, noteId)
  await everything()
  await decide(admin, noteId, uphold)
  await everything()
  const { rows } = await sql<{ text: string }>`
    SELECT t::text AS text FROM audit_entries t UNION ALL SELECT t::text FROM moderation_decisions t
     UNION ALL SELECT t::text FROM moderation_objections t
     UNION ALL SELECT t::text FROM moderation_questions t`.execute(db)
  await drainJobs(test)
  expect(mailsTo(test, hiddenAuthor.email).map(({ subject }) => subject)).toContain('Your note stays hidden')
  expect(lines.join('')).toContain('/api/moderation/queue')
  for (const { id, email } of [hiddenAuthor, witness]) {
    for (const trace of [id, email]) expect(lines.join('')).not.toContain(trace)
  }
  for (const { text } of rows) for (const { id } of [hiddenAuthor, witness]) expect(text).not.toContain(id)
  await db.deleteFrom('notes').where('id', '=', noteId).execute()
})

it('logs who decided on what, but not where members read', async () => {
  const noteId = await createReported()
  await decide(moderator, noteId, keep)
  const entries = await db.selectFrom('audit_entries').selectAll().where('subject_id', '=', noteId).execute()
  const [{ number, ...shown }] = await latestDecisions()
  const details = { kind: 'keep', decision: String(number) }
  expect(entries).toMatchObject([{ actor_id: moderator.id, action: 'decision', details }])
  expect(Object.keys(shown).toSorted()).toEqual(['decidedOn', 'kind', 'reason', 'rule'])
  // A more exact time could be matched with the moment at which the note disappeared from lists.
  expect(shown.decidedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  await expect(sql`DELETE FROM moderation_decisions`.execute(db)).rejects.toThrow('only ever added to')
})

it('lists all decisions page by page, the latest first', async () => {
  await sql`INSERT INTO moderation_decisions (kind, rule, reason)
    SELECT 'keep', 'other', 'No. ' || n FROM generate_series(1, 60) n`.execute(db)
  const numbers: number[] = []
  for (let hasMore = true; hasMore; ) {
    const before = numbers.at(-1)
    const page = (await get(reader, `/api/decisions${before === undefined ? '' : `?before=${before}`}`)).json()
    expect(page.decisions.length).toBe(page.hasMore ? decisionsPageSize : page.decisions.length)
    numbers.push(...page.decisions.map(({ number }: { number: number }) => number))
    hasMore = page.hasMore
  }
  const all = await db.selectFrom('moderation_decisions').select('number').orderBy('number', 'desc').execute()
  expect(numbers).toEqual(all.map(({ number }) => number))
  expect((await get(reader, '/api/decisions?before=x')).statusCode).toBe(400)
})

it('hides the note of a deleted account, and notifies no one', async () => {
  const noteId = await createReported(author, { isAnonymous: true })
  await db.updateTable('notes').set({ user_id: null }).where('id', '=', noteId).execute()
  const mailed = mailsTo(test, author.email).length
  expect((await decide(moderator, noteId, hide)).statusCode).toBe(204)
  await drainJobs(test)
  expect(mailsTo(test, author.email)).toHaveLength(mailed)
})

it.each([
  ['a kind there is not', { ...hide, kind: 'burn' }],
  ['a rule there is not', { ...hide, rule: 'boring' }],
  ['a correction of nothing', { ...hide, kind: 'correct', details: {} }],
])('refuses a decision of %s', async (_what, decision) => {
  const noteId = await createReported()
  expect((await decide(moderator, noteId, decision)).json().code).toBe('invalid_input')
  expect(await inQueue(noteId)).toBeDefined()
  await decide(moderator, noteId, keep)
})
