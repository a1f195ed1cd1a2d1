import { expect, it } from 'vitest'
import { openTestApp, password } from '../../testing/app.ts'
import { recordLog } from '../../testing/log.ts'
import { waitForMail } from '../../testing/mails.ts'
import { dumpDatabase } from '../../testing/refusal.ts'
import { accessOf, cookieOf, logIn, post, register, requestReset, resetPassword } from '../../testing/students.ts'

const { lines, log } = recordLog('trace')
const test = await openTestApp({}, log)
const email = 'zyxwvut.canary@uni.example'
const newPassword = 'Canary desk 42!'

/** Uses every feature of an account and ends signed in. @returns everything that must stay secret. */
async function liveThrough(): Promise<string[]> {
  const secrets: string[] = [password, newPassword]
  const verification = await register(test, email)
  const page = await test.app.inject({ url: `/verify?token=${verification}`, headers: { accept: 'text/html' } })
  // Resources and links of the page do not receive its address.
  expect(page.headers['referrer-policy']).toBe('no-referrer')
  await logIn(test, email)
  await post(test, '/api/users/verify', { token: verification })
  await post(test, '/api/users/', { name: 'Zyxwvut', email, password, confirmPassword: password })
  await waitForMail(test, email, 2)
  await logIn(test, email, 'Not the desk 42!')
  const reset = await requestReset(test, email, 3)
  await test.app.inject({ url: `/reset-password?token=${reset}`, headers: { accept: 'text/html' } })
  await resetPassword(test, reset, newPassword)
  await waitForMail(test, email, 4)
  const unused = await requestReset(test, email, 5)
  const login = await logIn(test, email, newPassword)
  const refreshed = await post(test, '/api/users/auth/refresh', undefined, cookieOf(login))
  await test.app.inject({ url: '/api/users/me', headers: accessOf(refreshed) })
  for (const answer of [login, refreshed])
    secrets.push(String(answer.json().accessToken), cookieOf(answer).cookie.split('=')[1] ?? '')
  return [...secrets, verification, reset, unused]
}

it('neither stores passwords and tokens in plain text nor logs them or emails (C4, C19)', async () => {
  const secrets = await liveThrough()
  expect(secrets.every((secret) => secret.length >= 12)).toBe(true)
  const stored = await dumpDatabase(test)
  expect(stored).toContain(email)
  for (const secret of secrets) {
    expect(stored).not.toContain(secret)
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'))
  }
  const logged = lines.join('')
  expect(logged).toContain('POST /api/users/login 200')
  expect(logged).toContain('GET /verify ')
  for (const secret of [...secrets, email, 'zyxwvut', 'Zyxwvut', 'Grace Hopper']) expect(logged).not.toContain(secret)
})
