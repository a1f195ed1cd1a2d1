import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { expect, it, onTestFinished } from 'vitest'
import { findFreePort } from '../../platform/embedded-postgres/free-port.ts'
import { createUser, openTestApp, password } from '../../testing/app.ts'
import { runAccountMails } from '../../testing/mails.ts'
import { startSmtpServer } from '../../testing/smtp-server.ts'
import { logIn, post } from '../../testing/students.ts'

const form = (email: string) => ({ name: 'Ada', email, password, confirmPassword: password })
const port = await findFreePort()
const test = await openTestApp({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Lectern <desk@lectern.example>' })

/** Skips the wait between two attempts. */
const tryAgainNow = () => sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`.execute(test.deps.db)

it('while the mail server is dead (E15), registering and asking for a reset work, and each mail leaves once, later', async () => {
  const user = await createUser(test)
  expect((await post(test, '/api/users/', form('new@uni.example'))).statusCode).toBe(201)
  expect((await post(test, '/api/users/forgot-password', { email: user.email })).statusCode).toBe(200)
  expect(await runAccountMails(test)).toEqual(['retry', 'retry'])
  const server = await startSmtpServer({}, port)
  onTestFinished(server.close)
  await tryAgainNow()
  expect(await runAccountMails(test)).toEqual(['completed', 'completed'])
  expect(server.received.map(({ recipients }) => recipients).sort()).toEqual([[user.email], ['new@uni.example']].sort())
  expect(server.received.every(({ from }) => from === 'desk@lectern.example')).toBe(true)
  const verification = server.received.find(({ recipients }) => recipients[0] === 'new@uni.example')
  const { text, html } = await PostalMime.parse(verification?.content ?? '')
  const link = /http\S+\/verify\?token=([\w-]{43})/
  const [address = '', token] = link.exec(text ?? '') ?? []
  expect(html).toContain('>Hello Ada,</p>')
  expect(html).toContain(`<a href="${address}" style`)
  expect(html).toContain(`>${address}</a>`)
  expect((await post(test, '/api/users/verify', { token })).statusCode).toBe(200)
  expect((await logIn(test, 'new@uni.example')).statusCode).toBe(200)
})
