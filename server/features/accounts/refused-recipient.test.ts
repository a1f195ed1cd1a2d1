import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { deleteOldRefusals, isPermanentRejection, isSuppressed } from '../../platform/mail/deliver.ts'
import { createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { drainJobs } from '../../testing/drain-jobs.ts'
import { recordLog } from '../../testing/log.ts'
import { runAccountMails } from '../../testing/mails.ts'
import { dumpDatabase } from '../../testing/refusal.ts'
import { startSmtpServer } from '../../testing/smtp-server.ts'
import { get, post } from '../../testing/students.ts'

/** The mail server accepts these mailboxes after all. */
const mended = new Set<string>()
const server = await startSmtpServer({
  onRcptTo({ address }, _session, done) {
    if (mended.has(address)) return done()
    done(Object.assign(new Error(`No mailbox ${address} here`), { responseCode: 550 }))
  },
})
afterAll(() => server.close())

const { lines, log } = recordLog('trace')
const SMTP_URL = `smtp://127.0.0.1:${server.port}`
const test = await openTestApp({ SMTP_URL, MAIL_FROM: 'desk@lectern.example' }, log)

it('a recipient that the mail server refuses is named neither in the log nor with the job', async () => {
  const { email } = await createUser(test, { email: 'zyxwvut.canary@uni.example' })
  await post(test, '/api/users/forgot-password', { email })
  await post(test, '/api/users/forgot-password', { email: 'qponmlk.canary@uni.example' })
  await drainJobs(test)
  expect(lines.join('').match(/A job failed/g)).toHaveLength(2)
  const logged = lines.join('')
  expect(logged).toContain('550 No mailbox (the recipient) here')
  for (const canary of ['zyxwvut', 'qponmlk', 'token=']) expect(logged).not.toContain(canary)
  const stored = await dumpDatabase(test)
  expect(stored).toContain('No mailbox (the recipient) here')
  expect(stored).not.toMatch(/No mailbox \S*canary/)
})

/** Skips the wait between two attempts and sets the number of earlier attempts. */
const tryAgainFor = (retries: number) =>
  sql`UPDATE pgboss.job SET start_after = now(), retry_count = ${retries} WHERE state = 'retry'`.execute(test.deps.db)

it('a mail to a recipient who is refused repeatedly fails permanently, and is logged', async () => {
  expect(await runAccountMails(test)).toEqual(['retry', 'retry'])
  await tryAgainFor(11)
  expect(await runAccountMails(test)).toEqual(['failed', 'failed'])
  expect(lines.join('').match(/A job failed permanently/g)).toHaveLength(2)
})

const count = async (name: string) => {
  const { metrics } = test.deps.telemetry
  const [sample] = (await metrics.registry.getSingleMetric(`lectern_${name}`)?.get())?.values ?? []
  return sample?.value ?? 0
}
const emailOf = async ({ auth }: TestUser) => (await get(test, '/api/users/me/email', auth)).json()
const askForReset = async ({ email }: TestUser) => {
  await sql`DELETE FROM pgboss.job WHERE name = 'account-mail'`.execute(test.deps.db)
  await post(test, '/api/users/forgot-password', { email })
}
/** Creates a user whose address is on the suppression list. */
async function createRefused(email: string): Promise<TestUser> {
  const user = await createUser(test, { email })
  await askForReset(user)
  expect(await runAccountMails(test)).toEqual(['retry'])
  await tryAgainFor(11)
  expect(await runAccountMails(test)).toEqual(['failed'])
  return user
}

it('an address that was given up is marked, and its student, the log and the metrics say so', async () => {
  const [before, other] = [await count('mail_addresses_suppressed_total'), await createUser(test)]
  const user = await createRefused('marked.canary@uni.example')
  expect(await emailOf(user)).toEqual({ pending: null, isRefused: true })
  expect(await emailOf(other)).toEqual({ pending: null, isRefused: false })
  expect(await count('mail_addresses_suppressed_total')).toBe(before + 1)
  const line = lines.map((text) => JSON.parse(text)).findLast(({ msg }) => msg.startsWith('Suppressed an address'))
  expect(line).toMatchObject({ level: 40, reason: expect.stringContaining('550 No mailbox (the recipient) here') })
  expect(lines.join('')).not.toContain('marked.canary')
  const { rows } = await sql`SELECT encode(address_sha256, 'escape') FROM mail_suppressions`.execute(test.deps.db)
  expect(JSON.stringify(rows)).not.toContain('canary')
})

it('a requested mail is sent there once, and an optional one not at all', async () => {
  const user = await createRefused('once.canary@uni.example')
  await askForReset(user)
  // The first rejection of a suppressed address is final.
  expect(await runAccountMails(test)).toEqual(['failed'])
  const [mail, withheld] = [{ to: user.email }, await count('mails_suppressed_total')]
  expect(await isSuppressed(test.deps, mail)).toBe(true)
  expect(await count('mails_suppressed_total')).toBe(withheld + 1)
  expect(await isSuppressed(test.deps, { to: 'nobody.canary@uni.example' })).toBe(false)
})

it('a mail that arrives ends it, and so does the student', async () => {
  const arrived = await createRefused('back.canary@uni.example')
  const asked = await createRefused('asks.canary@uni.example')
  mended.add(arrived.email)
  await askForReset(arrived)
  expect(await runAccountMails(test)).toEqual(['completed'])
  expect(await emailOf(arrived)).toMatchObject({ isRefused: false })
  for (let n = 0; n < 2; n++) {
    expect((await post(test, '/api/users/me/email/again', undefined, asked.auth)).statusCode).toBe(204)
    expect(await emailOf(asked)).toMatchObject({ isRefused: false })
  }
})

it('the state of email addresses is deleted after 90 days', async () => {
  const user = await createRefused('old.canary@uni.example')
  await sql`UPDATE mail_suppressions SET refused_at = now() - interval '89 days'`.execute(test.deps.db)
  await deleteOldRefusals(test.deps.db)
  expect(await emailOf(user)).toMatchObject({ isRefused: true })
  await sql`UPDATE mail_suppressions SET refused_at = now() - interval '91 days'`.execute(test.deps.db)
  await deleteOldRefusals(test.deps.db)
  expect(await emailOf(user)).toMatchObject({ isRefused: false })
})

it('a refusal of the sender is not one of the recipient', () => {
  const isPermanent = (response: string) => isPermanentRejection({ command: 'RCPT TO', responseCode: 550, response })
  const ofSender = ['550 5.7.1 Relaying denied', '554 5.7.1 <student@uni.example>: Relay access denied']
  expect([...ofSender, '550 5.1.1 No such user'].map(isPermanent)).toEqual([false, false, true])
})
