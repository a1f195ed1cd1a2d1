import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import type { DigestFrequency } from '../../../packages/contract/courses.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { findFreePort } from '../../platform/embedded-postgres/free-port.ts'
import { suppressAddress, unsuppressAddress } from '../../platform/mail/deliver.ts'
import { createNote, createUser, openTestApp, openTestAppOn, type TestApp, type TestUser } from '../../testing/app.ts'
import { drainJobs } from '../../testing/drain-jobs.ts'
import { jobContext } from '../../testing/jobs.ts'
import { expectRefusal } from '../../testing/refusal.ts'
import { type ReceivedMail, startSmtpServer, startTcpServer } from '../../testing/smtp-server.ts'
import { patch, post } from '../../testing/students.ts'
import { retryAcrossPeriods } from '../../testing/times.ts'
import { liftSuspension, suspendMember } from '../moderation/suspensions/suspensions.ts'
import { enqueueDueDigests, sendDigest } from './course-digests.ts'
import { importCourseNames } from './course-names.ts'

const smtp = await startSmtpServer()
const mailEnv = {
  SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  MAIL_FROM: 'Lectern <desk@notes.example>',
  PUBLIC_URL: 'https://notes.example.org',
}
const test = await openTestApp(mailEnv)
const { db } = test.deps
const never = new AbortController().signal
afterAll(() => smtp.close())
/** His names are too long to be in a token by chance. */
const ben = await createUser(test, { name: 'Benjamin Quillfeather' })
const choose = (user: TestUser, mails: DigestFrequency) =>
  patch(test, '/api/users/me/courses/mails', { mails }, user.auth)
const choiceOf = async (user: TestUser): Promise<DigestFrequency> =>
  (await test.app.inject({ url: '/api/users/me/courses', headers: user.auth })).json().mails

/** Creates a student who has followed these courses for a long time and has received no digest. */
async function createReader(courses: string[], mails: DigestFrequency = 'daily'): Promise<TestUser> {
  const reader = await createUser(test, { name: 'Leonora Marchbanks' })
  for (const course_key of courses) {
    const follow = { user_id: reader.id, course_key, followed_at: new Date('2026-01-01') }
    await db.insertInto('course_follows').values(follow).execute()
  }
  expect((await choose(reader, mails)).json()).toEqual({ mails })
  await sql`UPDATE course_digests SET notified_until = '2026-01-02' WHERE user_id = ${reader.id}`.execute(db)
  return reader
}

const makeDue = ({ id }: TestUser) =>
  sql`UPDATE course_digests SET due_at = now() - interval '1 second' WHERE user_id = ${id}`.execute(db)

async function jobsOf({ id }: TestUser): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    SELECT state FROM pgboss.job
     WHERE name = 'course-digest-mail' AND data->>'userId' = ${id} ORDER BY created_on`.execute(db)
  return rows.map(({ state }) => state)
}

const mailsTo = ({ email }: TestUser, { received } = smtp): ReceivedMail[] =>
  received.filter(({ recipients }) => recipients.includes(email))

/** Makes the reader's digest due, plans it and runs all jobs. */
async function passPeriod(reader: TestUser, states: string[] = ['completed']) {
  await makeDue(reader)
  await enqueueDueDigests(test.deps, never)
  await drainJobs(test)
  expect(await jobsOf(reader)).toEqual(states)
}

async function readMail(reader: TestUser) {
  const mails = mailsTo(reader)
  expect(mails).toHaveLength(1)
  const mail = await PostalMime.parse(mails[0]?.content ?? '')
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value
  const unsubscribe = /^<(.+)>$/.exec(header('list-unsubscribe') ?? '')?.[1] ?? ''
  return { ...mail, header, unsubscribe: new URL(unsubscribe) }
}

const share = (courseCode: string, user = ben, isAnonymous = false) =>
  createNote(test, user, { courseCode, isAnonymous, title: 'Secret title', createdAt: '2026-03-01T09:00:00.000Z' })

/** The period at whose end digests are due. */
const mailDay = sql<Date>`date_trunc('day', now() - interval '6 hours', 'UTC')`

it('the mail of what is new has one row per course, contains no names, and can be unsubscribed with one click', async () => {
  const listed = [{ code: 'CSC148', name: 'Introduction to Computer Science' }]
  await inTransaction(db, (tx) => importCourseNames(tx, listed))
  const reader = await createReader(['CSC148', 'MAT1'])
  for (const courseCode of ['CSC148', 'CSC 148', 'csc-148', 'CSC148']) await share(courseCode)
  await share('CSC148', ben, true)
  await share('MAT1')
  await share('MAT2')
  await createNote(test, ben, { courseCode: 'MAT1', createdAt: '2026-01-01T09:00:00.000Z' })
  await passPeriod(reader)
  const mail = await readMail(reader)
  expect(mail.subject).toBe('New notes in your courses')
  const address = 'https://notes.example.org/courses'
  expect(mail.text).toContain(
    `\nCSC148 Introduction to Computer Science\n5 new notes\n${address}/CSC148\n\nMAT1\n1 new note\n${address}/MAT1\n\nSee`,
  )
  for (const { content } of mailsTo(reader)) expect(content).not.toMatch(/Benjamin|Quillfeather|Secret/)
  expect(mail.header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(mail.unsubscribe.origin + mail.unsubscribe.pathname).toBe('https://notes.example.org/unsubscribe')
  expect(mail.text).toContain(mail.unsubscribe.href)
  const token = Buffer.from(mail.unsubscribe.searchParams.get('token') ?? '', 'base64url')
  for (const personal of [reader.email, reader.name]) expect(token.includes(personal)).toBe(false)
  expect(token.toString('hex')).not.toContain(reader.id.replaceAll('-', ''))
})

it('the mail of what is new contains no note twice and none of the recipient’s own, and is not sent where nothing is new', async () => {
  const reader = await createReader(['OWN1'])
  await share('OWN1', reader)
  await passPeriod(reader)
  await share('OWN1')
  await passPeriod(reader, ['completed', 'completed'])
  expect((await readMail(reader)).text).toContain('OWN1\n1 new note\n')
  await passPeriod(reader, ['completed', 'completed', 'completed'])
  expect(mailsTo(reader)).toHaveLength(1)
})

it('the mail of what is new leaves what was shared just now to the next one, and what was there before one followed the course', async () => {
  const reader = await createReader(['SET1'])
  await createNote(test, ben, { courseCode: 'SET1' })
  await createNote(test, ben, { courseCode: 'SET2', createdAt: '2026-03-01T09:00:00.000Z' })
  expect((await post(test, '/api/courses/SET2/follow', undefined, reader.auth)).statusCode).toBe(204)
  await passPeriod(reader)
  expect(mailsTo(reader)).toEqual([])
  await sql`UPDATE notes SET created_at = created_at - interval '1 minute' WHERE course_key = 'SET1'`.execute(db)
  await passPeriod(reader, ['completed', 'completed'])
  expect((await readMail(reader)).text).toContain('SET1\n1 new note\n')
  expect((await readMail(reader)).text).not.toMatch(/SET2/)
})

it.each([
  ['daily', 1],
  ['weekly', 7],
] as const)('the mail of what is new that is %s is due at 6 in the morning, %i days apart', async (mails, days) => {
  const [now, chosen, planned] = await retryAcrossPeriods(db, mailDay, async () => {
    const reader = await createReader([], mails)
    const read = async () => {
      const { rows } = await sql<{ at: Date; now: Date }>`
          SELECT due_at AS at, now() FROM course_digests WHERE user_id = ${reader.id}`.execute(db)
      return rows[0] ?? { at: new Date(0), now: new Date(0) }
    }
    const { at, now } = await read()
    await passPeriod(reader)
    return [now, at, (await read()).at]
  })
  expect(chosen.toISOString()).toMatch(/T06:00:00.000Z$/)
  if (mails === 'weekly') expect(chosen.getUTCDay()).toBe(1)
  const hours = (chosen.getTime() - now.getTime()) / 3_600_000
  expect(hours).toBeGreaterThan(0)
  expect(hours).toBeLessThanOrEqual(24 * days)
  // Both have the same hour: the first digest was made due, but not sent.
  expect(planned).toEqual(chosen)
})

describe('however often it is tried', () => {
  it('is planned once by servers that plan simultaneously', async () => {
    const other = await openTestAppOn(test, mailEnv)
    await share('TWO1')
    const reader = await retryAcrossPeriods(db, mailDay, async () => {
      const reader = await createReader(['TWO1'])
      await makeDue(reader)
      await Promise.all([test, other, test, other, test].map(({ deps }) => enqueueDueDigests(deps, never)))
      return reader
    })
    await drainJobs(test)
    expect(await jobsOf(reader)).toEqual(['completed'])
    expect(mailsTo(reader)).toHaveLength(1)
  })

  it('is sent once by a job that runs several times simultaneously, and again later', async () => {
    const reader = await createReader(['RUN1'])
    await share('RUN1')
    await sql`UPDATE course_digests SET last_planned = 1 WHERE user_id = ${reader.id}`.execute(db)
    const run = () => sendDigest(test.deps, { userId: reader.id, number: 1 }, jobContext)
    await Promise.all(Array.from({ length: 8 }, run))
    expect(mailsTo(reader)).toHaveLength(1)
    await sql`UPDATE course_digests SET notified_until = '2026-01-02' WHERE user_id = ${reader.id}`.execute(db)
    await run()
    expect(mailsTo(reader)).toHaveLength(1)
  })

  it('is skipped while its address refuses emails, and has all notes once it accepts them', async () => {
    const reader = await createReader(['WTH101'])
    await share('WTH101')
    await suppressAddress(db, reader.email)
    await passPeriod(reader)
    expect(mailsTo(reader)).toEqual([])
    await unsuppressAddress(db, reader.email)
    await passPeriod(reader, ['completed', 'completed'])
    expect((await readMail(reader)).text).toContain('WTH101')
  })

  it('is skipped while its student is suspended, and sent afterwards', async () => {
    const reader = await createReader(['SUS101'])
    await share('SUS101')
    await suspendMember(test.deps, null, reader.id, { days: 1, reason: 'Spam.', hidesNotes: false })
    const digests = () => mailsTo(reader).filter(({ content }) => content.includes('SUS101'))
    await passPeriod(reader)
    expect(digests()).toEqual([])
    await liftSuspension(test.deps, null, reader.id)
    await passPeriod(reader, ['completed', 'completed'])
    expect(digests()).toHaveLength(1)
  })

  it('is not sent after it was turned off, although it was planned', async () => {
    const reader = await createReader(['END1'])
    await share('END1')
    await sql`UPDATE course_digests SET last_planned = 1 WHERE user_id = ${reader.id}`.execute(db)
    await choose(reader, 'none')
    await sendDigest(test.deps, { userId: reader.id, number: 1 }, jobContext)
    expect(mailsTo(reader)).toEqual([])
  })
})

/** Opens another server for the jobs, so that jobs for this file's own mail server do not interfere. */
const openApart = (port: number) => openTestApp({ ...mailEnv, SMTP_URL: `smtp://127.0.0.1:${port}` })
const planned = (reader: TestUser, number: number) =>
  sql`UPDATE course_digests SET last_planned = ${number} WHERE user_id = ${reader.id}`.execute(db)
const send = ({ deps }: TestApp, reader: TestUser, number: number) =>
  sendDigest({ ...deps, db }, { userId: reader.id, number }, jobContext)

it('while the mail server is down, it waits, and is sent once when the server is back; one of the next period replaces it', async () => {
  const port = await findFreePort()
  const apart = await openApart(port)
  const reader = await createReader(['DED1'])
  await share('DED1')
  await planned(reader, 1)
  for (let attempt = 0; attempt < 2; attempt++) await expect(send(apart, reader, 1)).rejects.toThrow('ECONNREFUSED')
  await planned(reader, 2)
  const back = await startSmtpServer({}, port)
  onTestFinished(back.close)
  await send(apart, reader, 1)
  expect(mailsTo(reader, back)).toEqual([])
  await send(apart, reader, 2)
  await send(apart, reader, 2)
  expect(mailsTo(reader, back)).toHaveLength(1)
})

it.each([421, 550])('a server that refuses it with %i is asked again, and no address logged', async (responseCode) => {
  let refuses = true
  const grim = await startSmtpServer({
    onRcptTo: ({ address }, _session, done) =>
      done(refuses ? Object.assign(new Error(`no ${address}`), { responseCode }) : null),
  })
  const apart = await openApart(grim.port)
  const reader = await createReader(['REF1'])
  await share('REF1')
  await planned(reader, 1)
  const failure = await send(apart, reader, 1).catch((error: Error) => error.message)
  expect(failure).toContain(String(responseCode))
  expect(failure).not.toContain(reader.email)
  refuses = false
  await send(apart, reader, 1)
  expect(mailsTo(reader, grim)).toHaveLength(1)
  await grim.close()
})

it('while the mail server disconnects after the text, it is not sent again; its notes come with the next one', async () => {
  let taken = 0
  const rude = await startTcpServer((socket) => {
    let text = ''
    let isInText = false
    socket.write('220 hello\r\n')
    socket.on('data', (chunk) => {
      if (!isInText) {
        isInText = chunk.toString().startsWith('DATA')
        socket.write(isInText ? '354 go on\r\n' : '250 fine\r\n')
        return
      }
      text += chunk
      if (!text.endsWith('\r\n.\r\n')) return
      taken += 1
      socket.destroy()
    })
  })
  const apart = await openApart(rude.port)
  const reader = await createReader(['HUP1'])
  await share('HUP1')
  await planned(reader, 1)
  await expect(send(apart, reader, 1)).rejects.toThrow()
  await send(apart, reader, 1)
  expect(taken).toBe(1)
  await rude.close()
  await planned(reader, 2)
  await send(test, reader, 2)
  expect((await readMail(reader)).text).toContain('HUP1\n1 new note\n')
})

const click = ({ pathname, search }: URL, contentType?: string, payload = '') => {
  const headers = contentType ? { 'content-type': contentType } : {}
  return test.app.inject({ method: 'POST', url: pathname + search, headers, payload })
}
const boundary = 'edge'
const part = `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`

it.each([
  ['a form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  ['a multipart form', `multipart/form-data; boundary=${boundary}`, part],
  ['nothing', undefined, ''],
])('POST /unsubscribe without a session, and with %s, ends them', async (_what, contentType, payload) => {
  const reader = await createReader(['UNS1'])
  await share('UNS1')
  await passPeriod(reader)
  const { unsubscribe } = await readMail(reader)
  expect((await test.app.inject({ url: unsubscribe.pathname + unsubscribe.search })).statusCode).toBeLessThan(500)
  expect(await choiceOf(reader)).toBe('daily')
  for (let press = 0; press < 2; press++) {
    expect((await click(unsubscribe, contentType, payload)).statusCode).toBe(204)
    expect(await choiceOf(reader)).toBe('none')
  }
  // The same link also ends digests that were turned on again.
  await choose(reader, 'weekly')
  await click(unsubscribe, contentType, payload)
  expect(await choiceOf(reader)).toBe('none')
})

it('POST /unsubscribe refuses a link that Lectern did not make', async () => {
  const reader = await createReader(['UNS2'])
  await share('UNS2')
  await passPeriod(reader)
  const { unsubscribe } = await readMail(reader)
  const token = unsubscribe.searchParams.get('token') ?? ''
  const mails = db.selectFrom('course_digests').where('user_id', '=', reader.id)
  const { id } = await mails.select('id').executeTakeFirstOrThrow()
  const bare = Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
  const changed = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
  for (const forged of ['', 'x', token.slice(0, -1), `${token}AA`, bare, changed, id]) {
    const address = new URL(unsubscribe)
    address.searchParams.set('token', forged)
    expectRefusal(await click(address), 'unsubscribe_link_invalid')
  }
  const bareLink = await click(new URL('/unsubscribe', unsubscribe))
  expectRefusal(bareLink, 'invalid_input', 'Invalid input: expected string, received undefined')
  expect(await choiceOf(reader)).toBe('daily')
})

it('refuses a choice there is not', async () => {
  const reader = await createReader([])
  expect((await choose(reader, 'hourly' as DigestFrequency)).statusCode).toBe(400)
  expect(await choiceOf(reader)).toBe('daily')
})
