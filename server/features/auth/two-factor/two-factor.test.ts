import { randomUUID } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import { disableTwoFactor } from '../../../operations/admin/members.ts'
import { createJobs } from '../../../platform/jobs/queue.ts'
import { createUser, itWithUsers, openTestApp, password, type TestApp, type TestUser } from '../../../testing/app.ts'
import { createAuthenticator } from '../../../testing/authenticator.ts'
import { quietLog, recordOutput } from '../../../testing/log.ts'
import { tokenOf, waitForMail } from '../../../testing/mails.ts'
import { dumpDatabase, expectNoRows, expectRefusal, expectStatus, toComparable } from '../../../testing/refusal.ts'
import {
  accessOf,
  changePassword,
  countSessions,
  logIn,
  post,
  requestReset,
  resetPassword,
} from '../../../testing/students.ts'
import { whileLocked } from '../../../testing/with-blocked-query.ts'
import { lockUser } from '../../accounts/users/users.ts'
import { suspendMember } from '../../moderation/suspensions/suspensions.ts'
import { decryptTotpSecret, encryptTotpSecret, generateTotpSecret } from './codes.ts'
import { insertTotp } from './two-factor.queries.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps
const newPassword = 'Another desk 42!'
const stepMs = 30_000
/** Returns the app's code of the current step or of one `steps` later. */
const codeOf = (secret: string, steps = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + steps * stepMs })
const wrongCodeFor = (secret: string) => {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code)) ?? ''
}

const confirmed = { currentPassword: password }
const call = ({ auth }: Pick<TestUser, 'auth'>, what: string, payload: object = confirmed, { app } = test) =>
  post({ app }, `/api/users/me/two-factor/${what}`, payload, auth)
const describeOf = async ({ auth }: Pick<TestUser, 'auth'>) =>
  (await test.app.inject({ url: '/api/users/me/two-factor', headers: auth })).json().twoFactor

type Protected = { user: TestUser; secret: string; recoveryCodes: string[] }

/** Creates a user who turned two-factor login on as the settings do. */
async function createProtected(on: TestApp = test): Promise<Protected> {
  const user = await createUser(on)
  const { secret } = (await call(user, 'setup', confirmed, on)).json()
  const answer = await expectStatus(200, call(user, 'on', { code: codeOf(secret) }, on))
  await forgetSteps(user)
  await waitForMail(on, user.email)
  return { user, secret, recoveryCodes: answer.json().recoveryCodes }
}
/** Pretends that the last code was used long ago. */
const forgetSteps = ({ id }: TestUser) =>
  db.updateTable('totp').set({ last_time_step: 0 }).where('user_id', '=', id).execute()

const stepCookieOf = (answer: LightMyRequestResponse) => {
  const cookie = answer.cookies.find(({ name }) => name.endsWith('lectern-login-step'))
  return { cookie: `${cookie?.name}=${cookie?.value}` }
}
/** Does the first step of a login. @returns the cookie for the second. */
async function typePassword({ email }: TestUser, typed = password, on: Pick<TestApp, 'app'> = test) {
  const answer = await logIn(on, email, typed)
  expectRefusal(answer, 'code_needed')
  return stepCookieOf(answer)
}
const typeCode = (cookie: { cookie: string }, code: unknown, on: Pick<TestApp, 'app'> = test) =>
  post(on, '/api/users/login/code', { code }, cookie)

it('two-factor login is turned on by the password and the first code, and its owner is notified', async ({ user }) => {
  expect(await describeOf(user)).toBeNull()
  expectRefusal(await call(user, 'setup', { currentPassword: newPassword }), 'wrong_password')
  const setup = await expectStatus(200, call(user, 'setup'))
  const { secret, uri } = setup.json()
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(uri).toMatch(/^otpauth:\/\/totp\/Lectern:/)
  expect(uri).toContain(`secret=${secret}`)
  // The setup alone turns nothing on, so a user who never finishes it is not locked out.
  expect(await describeOf(user)).toBeNull()
  expect((await logIn(test, user.email)).statusCode).toBe(200)
  expectRefusal(await call(user, 'on', { code: wrongCodeFor(secret) }), 'wrong_code')
  const answer = await expectStatus(200, call(user, 'on', { code: codeOf(secret) }))
  const { recoveryCodes } = answer.json()
  expect(new Set(recoveryCodes).size).toBe(10)
  for (const code of recoveryCodes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
  expect(await describeOf(user)).toEqual({ since: expect.any(String), recoveryCodesLeft: 10 })
  expect((await waitForMail(test, user.email)).subject).toBe('Two-factor authentication turned on')
  expectRefusal(await call(user, 'setup'), 'two_factor_on')
  expectRefusal(await call(user, 'on', { code: codeOf(secret, 1) }), 'two_factor_on')
})

it('two-factor login is turned on and neither its secret nor a recovery code is stored in clear', async () => {
  const { secret, recoveryCodes } = await createProtected()
  const dump = await dumpDatabase(test)
  const inHex = Buffer.from(secret).toString('hex')
  for (const text of [secret, inHex, ...recoveryCodes, ...recoveryCodes.map((code) => code.replace('-', ''))])
    expect(dump).not.toContain(text)
})

it('two-factor login is turned on within an hour, in the same session, and by the newest secret', async ({ user }) => {
  const { secret: first } = (await call(user, 'setup')).json()
  const { secret } = (await call(user, 'setup')).json()
  expectRefusal(await call(user, 'on', { code: codeOf(first) }), 'wrong_code')
  const elsewhere = { auth: accessOf(await logIn(test, user.email)) }
  expectRefusal(await call(elsewhere, 'on', { code: codeOf(secret) }), 'setup_over')
  const over = { expires_at: sql<Date>`now()` }
  await db.updateTable('totp_setups').set(over).where('user_id', '=', user.id).execute()
  expectRefusal(await call(user, 'on', { code: codeOf(secret) }), 'setup_over')
  expect(await describeOf(user)).toBeNull()
})

it('two-factor login is turned on once, even if its code is sent many times simultaneously', async ({ user }) => {
  const { secret } = (await call(user, 'setup')).json()
  const answers = await Promise.all(Array.from({ length: 3 }, () => call(user, 'on', { code: codeOf(secret) })))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  const kept = await db.selectFrom('recovery_codes').select('user_id').where('user_id', '=', user.id).execute()
  expect(kept).toHaveLength(10)
})

it('a login with two-factor login on asks for a code after the right password, and starts no session before it', async () => {
  const { user, secret } = await createProtected()
  let cookie = { cookie: '' }
  await expectNoRows(test, async () => {
    const asked = await logIn(test, user.email)
    expectRefusal(asked, 'code_needed', 'Enter the code from your authenticator app.')
    const value = expect.stringMatching(/^[\w-]{43}$/)
    const limits = { httpOnly: true, sameSite: 'Strict', path: '/', maxAge: 600 }
    expect(asked.cookies).toEqual([{ name: 'lectern-login-step', value, ...limits }])
    cookie = stepCookieOf(asked)
    const asRefresh = { cookie: cookie.cookie.replace('login-step', 'refresh') }
    expectRefusal(await post(test, '/api/users/auth/refresh', undefined, asRefresh), 'session_expired')
  })
  const code = codeOf(secret)
  const answer = await expectStatus(200, typeCode(cookie, ` ${code.slice(0, 3)} ${code.slice(3)} `))
  expect(answer.json().user._id).toBe(user.id)
  expect(answer.cookies).toContainEqual(expect.objectContaining({ name: 'lectern-login-step', value: '' }))
  expect(answer.cookies.map(({ name }) => name)).toContain('lectern-device')
  expect((await test.app.inject({ url: '/api/users/me', headers: accessOf(answer) })).statusCode).toBe(200)
  await forgetSteps(user)
  expectRefusal(await typeCode(cookie, codeOf(secret)), 'login_step_over')
})

it('a login with two-factor login on starts no session where it was turned on while it waited', async ({ user }) => {
  await expectNoRows(test, async () => {
    const answer = await whileLocked(test, {
      hold: (tx) => lockUser(tx, user.id),
      ask: () => logIn(test, user.email),
      happens: (tx) => insertTotp(tx, user.id, Buffer.from('sealed'), 0),
    })
    expectRefusal(answer, 'busy')
    await db.deleteFrom('totp').where('user_id', '=', user.id).execute()
  })
})

it('a login with two-factor login on checks the password first, and reveals nothing else for a wrong one', async () => {
  const { user } = await createProtected()
  const unprotected = await createUser(test)
  const wrong = await logIn(test, user.email, newPassword)
  expectRefusal(wrong, 'invalid_credentials')
  expect(toComparable(wrong)).toEqual(toComparable(await logIn(test, unprotected.email, newPassword)))
})

it('a login with two-factor login on accepts a code once, also in two simultaneous logins, and no earlier code', async () => {
  const { user, secret } = await createProtected()
  const code = codeOf(secret)
  const cookies = await Promise.all([typePassword(user), typePassword(user), typePassword(user)])
  const [first, second, third] = cookies
  const before = await countSessions(test, user)
  const answers = await Promise.all([typeCode(first, code), typeCode(second, code)])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403])
  expect(await countSessions(test, user)).toBe(before + 1)
  await expectNoRows(test, async () => {
    expectRefusal(await typeCode(third, code), 'wrong_code')
    expectRefusal(await typeCode(third, codeOf(secret, -1)), 'wrong_code')
  })
  expect((await typeCode(third, codeOf(secret, 1))).statusCode).toBe(200)
})

it('a login with two-factor login on accepts the cookie of the first step once, also with many simultaneous codes', async () => {
  const { user, recoveryCodes } = await createProtected()
  const cookie = await typePassword(user)
  const before = await countSessions(test, user)
  const answers = await Promise.all(recoveryCodes.slice(0, 4).map((code) => typeCode(cookie, code)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(await countSessions(test, user)).toBe(before + 1)
  // A rejected login consumes no code.
  expect((await describeOf(user)).recoveryCodesLeft).toBe(9)
})

it.each([
  ['for ten minutes', { expires_at: sql<Date>`now()` }],
  ['for five codes', { attempts_left: 0 }],
])('a login with two-factor login on waits for the code %s', async (_what, over) => {
  const { user, secret } = await createProtected()
  const cookie = await typePassword(user)
  await db.updateTable('login_challenges').set(over).where('user_id', '=', user.id).execute()
  await expectNoRows(test, async () => expectRefusal(await typeCode(cookie, codeOf(secret)), 'login_step_over'))
})

it('a login with two-factor login on counts each wrong code, simultaneous ones too, up to five', async () => {
  const { user, secret } = await createProtected()
  const cookie = await typePassword(user)
  const answers = await Promise.all(Array.from({ length: 9 }, () => typeCode(cookie, wrongCodeFor(secret))))
  const codes = answers.map((answer) => answer.json().code).sort()
  expect(codes).toEqual([...Array(4).fill('login_step_over'), ...Array(5).fill('wrong_code')])
  expectRefusal(await typeCode(cookie, codeOf(secret)), 'login_step_over')
})

it.each([
  ['no cookie', ''],
  ['an empty cookie', 'lectern-login-step='],
  ['an unknown cookie', `lectern-login-step=${'A'.repeat(43)}`],
])('a login with two-factor login on refuses a code with %s', async (_what, cookie) => {
  const { secret } = await createProtected()
  expectRefusal(await typeCode({ cookie }, codeOf(secret)), 'login_step_over')
})

it('a login with two-factor login on refuses what is no code', async () => {
  const { user } = await createProtected()
  const cookie = await typePassword(user)
  for (const code of ['', ' ', undefined, ['123456'], { $ne: '' }, '1'.repeat(41)])
    expect((await typeCode(cookie, code)).json().code).toBe('invalid_input')
  for (const code of ['12345', '1234567', 'abcde-fghj', '１２３４５６'])
    expectRefusal(await typeCode(cookie, code), 'wrong_code')
})

it('a login with two-factor login on starts over after a change of the password, and after all others were logged out', async () => {
  const { user, secret } = await createProtected()
  let cookie = await typePassword(user)
  expect((await changePassword(test, user, newPassword)).statusCode).toBe(200)
  expectRefusal(await typeCode(cookie, codeOf(secret)), 'login_step_over')
  cookie = await typePassword(user, newPassword)
  await post(test, '/api/users/me/sessions/end-others', { currentPassword: newPassword }, user.auth)
  expectRefusal(await typeCode(cookie, codeOf(secret)), 'login_step_over')
})

it('a login with two-factor login on is also required after a reset by mail', async () => {
  const { user, secret } = await createProtected()
  const token = await requestReset(test, user.email, 2)
  expect((await resetPassword(test, token, newPassword)).statusCode).toBe(200)
  const cookie = await typePassword(user, newPassword)
  expect((await typeCode(cookie, codeOf(secret))).statusCode).toBe(200)
})

it('a login with two-factor login on asks no code of a passkey, which is both factors', async () => {
  const { user } = await createProtected()
  const authenticator = createAuthenticator()
  const options = (await post(test, '/api/users/me/passkeys/options', confirmed, user.auth)).json()
  const added = { name: 'Phone', credential: authenticator.create(options) }
  expect((await post(test, '/api/users/me/passkeys', added, user.auth)).statusCode).toBe(201)
  const asked = (await post(test, '/api/users/login/passkey/options')).json()
  expect((await post(test, '/api/users/login/passkey', { credential: authenticator.get(asked) })).statusCode).toBe(200)
})

it('a login with two-factor login on takes ten wrong codes an hour of an account, wherever they come from, until it has another password', async () => {
  const limited = await openTestApp({ RATE_LIMIT: 'on' })
  const user = await createUser(limited)
  const { secret } = (await call(user, 'setup', confirmed, limited)).json()
  await call(user, 'on', { code: codeOf(secret) }, limited)
  const tryCode = async (typed: string, from: string) => {
    const send = (url: string, payload: object, headers = {}) =>
      limited.app.inject({ method: 'POST', url, payload, headers, remoteAddress: from })
    const cookie = stepCookieOf(await send('/api/users/login', { email: user.email, password: typed }))
    return send('/api/users/login/code', { code: wrongCodeFor(secret) }, cookie)
  }
  for (let host = 1; host <= 10; host++) expectRefusal(await tryCode(password, `198.51.100.${host}`), 'wrong_code')
  expectRefusal(await tryCode(password, '198.51.100.11'), 'rate_limited')
  expect((await changePassword(limited, user, newPassword)).statusCode).toBe(200)
  expectRefusal(await tryCode(newPassword, '198.51.100.12'), 'wrong_code')
})

it('a recovery code replaces a code of the app, once, also simultaneously', async () => {
  const { user, recoveryCodes } = await createProtected()
  const [code = '', other = ''] = recoveryCodes
  const cookies = await Promise.all([typePassword(user), typePassword(user)])
  const answers = await Promise.all(cookies.map((cookie) => typeCode(cookie, code)))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403])
  expect((await describeOf(user)).recoveryCodesLeft).toBe(9)
  expectRefusal(await typeCode(await typePassword(user), code), 'wrong_code')
  // The user types the code from paper.
  const typed = ` ${other.toUpperCase().replace('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')}`
  expect((await typeCode(await typePassword(user), typed)).statusCode).toBe(200)
})

it('a recovery code of another user opens nothing', async () => {
  const [mia, ben] = [await createProtected(), await createProtected()]
  expectRefusal(await typeCode(await typePassword(mia.user), ben.recoveryCodes[0]), 'wrong_code')
  expectRefusal(await typeCode(await typePassword(mia.user), codeOf(ben.secret)), 'wrong_code')
})

it('a recovery code is generated again after the password, which voids the others and is announced by email', async () => {
  const { user, recoveryCodes } = await createProtected()
  expectRefusal(await call(user, 'recovery-codes', { currentPassword: newPassword }), 'wrong_password')
  const answer = await expectStatus(200, call(user, 'recovery-codes'))
  expect(answer.json().recoveryCodes).toHaveLength(10)
  expectRefusal(await typeCode(await typePassword(user), recoveryCodes[0]), 'wrong_code')
  expect((await typeCode(await typePassword(user), answer.json().recoveryCodes[0])).statusCode).toBe(200)
  expect((await waitForMail(test, user.email, 2)).subject).toBe('You have new recovery codes')
  expectRefusal(await call(await createUser(test), 'recovery-codes'), 'two_factor_off')
})

it('a recovery code opens the account where the secret of the server is another one', async () => {
  const { user, secret, recoveryCodes } = await createProtected()
  await sql`UPDATE totp SET encrypted_secret = set_byte(encrypted_secret, 30, get_byte(encrypted_secret, 30) # 1)
               WHERE user_id = ${user.id}`.execute(db)
  const cookie = await typePassword(user)
  expectRefusal(await typeCode(cookie, codeOf(secret)), 'wrong_code')
  expect((await typeCode(cookie, recoveryCodes[0])).statusCode).toBe(200)
})

it('two-factor login is turned off after the password, and its owner is notified; again is no error', async () => {
  const { user } = await createProtected()
  expectRefusal(await call(user, 'off', { currentPassword: newPassword }), 'wrong_password')
  expect(await describeOf(user)).not.toBeNull()
  for (let n = 0; n < 2; n++) expect((await call(user, 'off')).statusCode).toBe(204)
  expect((await waitForMail(test, user.email, 2)).subject).toBe('Two-factor authentication turned off')
  expect((await logIn(test, user.email)).statusCode).toBe(200)
})

it('two-factor login is turned off by the operator, which is logged and announced by email', async () => {
  const { user } = await createProtected()
  const jobs = createJobs({ databaseUrl: test.databaseUrl, log: quietLog, runWorkers: false })
  await jobs.start()
  const { said, out } = recordOutput()
  expect(await disableTwoFactor({ db, jobs }, ` ${user.email.toUpperCase()} `, out)).toBe(true)
  expect(await disableTwoFactor({ db, jobs }, user.email, out)).toBe(true)
  expect(await disableTwoFactor({ db, jobs }, 'nobody@uni.example', out)).toBe(false)
  await jobs.stop()
  expect(said).toEqual([
    `  Turned off two-factor authentication for ${user.email} and emailed them.\n`,
    `  Nothing was changed: two-factor authentication for ${user.email} is already off.\n`,
    '  Nothing was changed: no account with nobody@uni.example.\n',
  ])
  expect((await waitForMail(test, user.email, 2)).subject).toBe('Two-factor authentication turned off')
  expect((await logIn(test, user.email)).statusCode).toBe(200)
  const entries = await db.selectFrom('audit_entries').selectAll().where('subject_id', '=', user.id).execute()
  expect(entries).toMatchObject([{ action: 'two-factor-off', actor_id: null }])
})

/** Uses the link of the newest of `count` mails, and chooses a new password. */
async function disown(user: TestUser, count: number) {
  const token = tokenOf(await waitForMail(test, user.email, count))
  const { resetToken } = (await post(test, '/api/users/not-me', { token })).json()
  expect((await resetPassword(test, resetToken, newPassword)).statusCode).toBe(200)
}

it('“Secure my account” in an alert about two-factor login that was turned on turns it off', async () => {
  const { user } = await createProtected()
  await disown(user, 1)
  expect((await logIn(test, user.email, newPassword)).statusCode).toBe(200)
})

it('“Secure my account” in an alert about anything that came later leaves it on: a mailbox alone opens nothing', async () => {
  const { user, secret, recoveryCodes } = await createProtected()
  expect((await changePassword(test, user, 'A third desk 42!')).statusCode).toBe(200)
  await disown(user, 2)
  const cookie = await typePassword(user, newPassword)
  expect((await typeCode(cookie, codeOf(secret))).statusCode).toBe(200)
  expect((await typeCode(await typePassword(user, newPassword), recoveryCodes[0])).statusCode).toBe(200)
})

it('“Secure my account” in an alert about new recovery codes voids them, and leaves the app', async () => {
  const { user, secret } = await createProtected()
  const { recoveryCodes } = (await call(user, 'recovery-codes')).json()
  await disown(user, 2)
  expectRefusal(await typeCode(await typePassword(user, newPassword), recoveryCodes[0]), 'wrong_code')
  expect((await typeCode(await typePassword(user, newPassword), codeOf(secret))).statusCode).toBe(200)
})

it('gives a user who was suspended between password and code a limited session', async () => {
  const { user, secret } = await createProtected()
  const cookie = await typePassword(user)
  await suspendMember(test.deps, null, user.id, { days: null, reason: 'Sold exams.', hidesNotes: false })
  const login = await typeCode(cookie, codeOf(secret))
  expect(login.json().user).toMatchObject({ suspension: { reason: 'Sold exams.' } })
  const list = await test.app.inject({ url: '/api/notes', headers: accessOf(login) })
  expect(list.json()).toMatchObject({ code: 'account_suspended' })
})

const secret = 'a secret of the tests, long enough'

it('a sealed secret opens for its account alone, and with no bit of it changed', () => {
  const [userId, appSecret] = [randomUUID(), generateTotpSecret()]
  const sealed = encryptTotpSecret(secret, userId, appSecret)
  expect(decryptTotpSecret(secret, userId, sealed)).toBe(appSecret)
  expect(decryptTotpSecret(secret, randomUUID(), sealed)).toBeNull()
  expect(decryptTotpSecret(`${secret}!`, userId, sealed)).toBeNull()
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(sealed.readUInt8(at) ^ 1, at)
    expect(decryptTotpSecret(secret, userId, changed)).toBeNull()
  }
  expect(decryptTotpSecret(secret, userId, sealed.subarray(0, -1))).toBeNull()
})
