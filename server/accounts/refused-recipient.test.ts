import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, expect, it } from 'vitest'
import { isRefused } from '../mail/failed-delivery.ts'
import { openTestApp } from '../test/app.ts'
import { createUser } from '../test/factories.ts'
import { dumpDatabase } from '../test/rows.ts'
import { startSmtpServer } from '../test/smtp-server.ts'
import { post } from '../test/students.ts'

const server = await startSmtpServer({
  onRcptTo({ address }, _session, done) {
    done(Object.assign(new Error(`No mailbox ${address} here`), { responseCode: 550 }))
  },
})
afterAll(() => server.close())

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const SMTP_URL = `smtp://127.0.0.1:${server.port}`
const test = await openTestApp({ SMTP_URL, MAIL_FROM: 'desk@lectern.example' }, log)

it('a recipient that the mail server refuses is named neither in the log nor with the job', async () => {
  const { email } = await createUser(test, { email: 'zyxwvut.canary@uni.example' })
  await post(test, '/api/users/forgot-password', { email })
  await post(test, '/api/users/forgot-password', { email: 'qponmlk.canary@uni.example' })

  await expect.poll(() => lines.join('').match(/A job failed/g)?.length).toBe(2)
  const logged = lines.join('')
  expect(logged).toContain('550 No mailbox (the recipient) here')
  for (const canary of ['zyxwvut', 'qponmlk', 'token=']) expect(logged).not.toContain(canary)

  const stored = await dumpDatabase(test)
  expect(stored).toContain('No mailbox (the recipient) here')
  expect(stored).not.toMatch(/No mailbox \S*canary/)
})

/** What the wait between two attempts would do in time, and as if it had been tried so often. */
const tryAgainFor = (retries: number) =>
  sql`UPDATE pgboss.job SET start_after = now(), retry_count = ${retries} WHERE state = 'retry'`.execute(test.deps.db)
const findStates = async () =>
  (
    await sql<{ state: string }>`SELECT state FROM pgboss.job WHERE name = 'account-mail'`.execute(test.deps.db)
  ).rows.map(({ state }) => state)

it('a mail to a recipient who is refused again and again is given up, and the log says so', async () => {
  await expect.poll(findStates).toEqual(['retry', 'retry'])
  await tryAgainFor(11)
  await expect.poll(() => lines.join('').match(/A job failed for good/g)?.length).toBe(2)
  await expect.poll(findStates).toEqual(['failed', 'failed'])
})

it.each([['550 5.7.1 Relaying denied'], ['554 5.7.1 <student@uni.example>: Relay access denied']])(
  'a refusal of the sender is not one of the recipient: %s',
  (response) => {
    expect(isRefused({ command: 'RCPT TO', responseCode: 550, response })).toBe(false)
    expect(isRefused({ command: 'RCPT TO', responseCode: 550, response: '550 5.1.1 No such user' })).toBe(true)
  },
)
