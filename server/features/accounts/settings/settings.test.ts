import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { accountMessages } from '../../../../packages/contract/accounts.ts'
import { messages } from '../../../../packages/contract/fields.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { TestUser } from '../../../testing/app.ts'
import { asViewer, createNote, createUser, itWithUsers, openTestApp, password } from '../../../testing/app.ts'
import { mailsTo, tokenOf, waitForMail } from '../../../testing/mails.ts'
import {
  countRows,
  dumpDatabase,
  expectNoRows,
  expectRefusal,
  expectSuccesses,
  toComparable,
} from '../../../testing/refusal.ts'
import {
  accessOf,
  changePassword,
  cookieOf,
  get,
  getMe,
  logIn,
  newEmail,
  patch,
  post,
  register,
  remove,
  requestReset,
  resetPassword,
} from '../../../testing/students.ts'
import { hoursUntil } from '../../../testing/times.ts'
import { changeIdentity } from '../users/users.ts'
import { requestEmailChange } from './email-change.ts'
import { deleteExpiredChanges } from './email-changes.queries.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const limited = await openTestApp({ RATE_LIMIT: 'on' })
const { db } = test.deps

const ask = ({ auth }: TestUser, email: unknown, currentPassword: unknown = password) =>
  post(test, '/api/users/me/email', { email, currentPassword }, auth)
const confirm = (token: unknown) => post(test, '/api/users/confirm-email', { token })
const getPending = async ({ auth }: TestUser) => (await get(test, '/api/users/me/email', auth)).json().pending
const drop = ({ auth }: TestUser) => remove(test, '/api/users/me/email', auth)
const getEmail = async ({ id }: TestUser) =>
  (await db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email

/** Requests an address and waits for the `count`th mail to it. @returns the link's token. */
async function askFor(user: TestUser, email: string, count = 1): Promise<string> {
  expect((await ask(user, email)).statusCode).toBe(200)
  return tokenOf(await waitForMail(test, email, count))
}

describe('requesting an email change', () => {
  it('mails a link to the new address, shows it until it is confirmed, and changes nothing yet', async ({ user }) => {
    const email = newEmail()
    expect((await ask(user, ` ${email.toUpperCase()} `)).json()).toEqual({
      message: 'We sent a link to your new address. Open it to confirm the change.',
    })
    const mail = await waitForMail(test, email)
    expect(mail.subject).toBe('Confirm your new email for Lectern')
    expect(mail.link).toMatch(/\/confirm-email\?token=[\w-]{43}$/)
    expect(await dumpDatabase(test)).not.toContain(tokenOf(mail))
    const pending = await getPending(user)
    expect(pending.email).toBe(email)
    expect(hoursUntil(pending.expiresAt)).toBeCloseTo(24, 1)
    expect(await getEmail(user)).toBe(user.email)
    expect(mailsTo(test, user.email)).toEqual([])
  })

  it('does not reveal that an account has the address, and notifies its owner', async ({ user, owner }) => {
    const free = await ask(user, newEmail())
    const before = await getPending(user)
    const taken = await ask(user, owner.email)
    expect(toComparable(taken)).toEqual(toComparable(free))
    expect(await getPending(user)).toEqual({ ...before, email: owner.email, expiresAt: expect.any(String) })
    const mail = await waitForMail(test, owner.email)
    expect(mail.subject).toBe('This email already has a Lectern account')
    expect(mail.text + mail.html).not.toContain('token=')
    expect(mail.text + mail.html).not.toContain(user.email)
  })

  it.each([
    ['no email', '', 'invalid_input', messages.fillAllFields],
    ['an invalid email', 'nobody', 'invalid_input', messages.invalidEmail],
    ['the address one has', undefined, 'invalid_input', 'That’s already your email.'],
    ['a wrong password', newEmail(), 'wrong_password', undefined, 'Not the desk 42!'],
  ] as const)('refuses %s', async (_what, email, code, message, typed?: string) => {
    const user = await createUser(test)
    await expectNoRows(test, async () => expectRefusal(await ask(user, email ?? user.email, typed), code, message))
    expect(await getPending(user)).toBeNull()
  })

  it('can be taken back, and then the link is worth nothing', async ({ user }) => {
    const token = await askFor(user, newEmail())
    expect((await drop(user)).statusCode).toBe(204)
    expect(await getPending(user)).toBeNull()
    expectRefusal(await confirm(token), 'email_link_invalid')
    expect(await getEmail(user)).toBe(user.email)
  })

  it('fills no mailbox: three mails an hour to an address, ten wishes a day', async () => {
    const user = await createUser(limited)
    const email = newEmail()
    const wish = () => post(limited, '/api/users/me/email', { email, currentPassword: password }, user.auth)
    for (let count = 0; count < 10; count++) expect((await wish()).statusCode).toBe(200)
    expectRefusal(await wish(), 'rate_limited')
    const changes = () => limited.deps.db.selectFrom('email_changes').selectAll().execute()
    await expect.poll(changes).toHaveLength(1)
    expect(mailsTo(limited, email).length).toBeLessThanOrEqual(3)
  })
})

describe('an email change that a thief requested', () => {
  const chosen = 'Mine again 42!'
  const endOthers = ({ auth }: TestUser) =>
    post(test, '/api/users/me/sessions/end-others', { currentPassword: password }, auth)
  const leave = ({ auth }: TestUser) =>
    post(test, '/api/users/me/leaving', { notes: 'keep', currentPassword: password }, auth)

  it.each<[string, (user: TestUser) => Promise<unknown>]>([
    ['a new password', (user) => changePassword(test, user, chosen)],
    ['a reset', async ({ email }) => resetPassword(test, await requestReset(test, email), chosen)],
    ['logging out all others', endOthers],
    ['the wish to leave', leave],
  ])('is over with %s', async (_what, act) => {
    const user = await createUser(test)
    const token = await askFor(user, newEmail())
    const answer = (await act(user)) as { statusCode: number }
    expect([200, 204]).toContain(answer.statusCode)
    expectRefusal(await confirm(token), 'email_link_invalid')
    expect(await getEmail(user)).toBe(user.email)
  })

  it('is not stored once the password has changed', async ({ user }) => {
    const confirmedHash = (await findHash(user)) ?? ''
    await changePassword(test, user, chosen)
    const asking = requestEmailChange(test.deps, { viewer: asViewer(user), confirmedHash }, newEmail())
    await expect(asking).rejects.toMatchObject({ code: 'wrong_password' })
    expect(await getPending(user)).toBeNull()
  })
})

describe('POST /api/users/confirm-email', () => {
  it('changes the address, keeps the sessions, and tells the old one', async ({ user }) => {
    const email = newEmail()
    const token = await askFor(user, email)
    expect((await confirm(token)).json()).toEqual({ message: 'Email changed. Use it the next time you log in.' })
    expect((await getMe(test, user.auth)).json().user.email).toBe(email)
    expect(await getPending(user)).toBeNull()
    expectRefusal(await logIn(test, user.email), 'invalid_credentials')
    expect((await logIn(test, email)).statusCode).toBe(200)
    expect((await waitForMail(test, user.email)).subject).toBe('Your Lectern account has a new email')
    // A second click succeeds again and changes nothing.
    expect((await confirm(token)).statusCode).toBe(200)
    expect(mailsTo(test, user.email)).toHaveLength(1)
  })

  it('removes a restored address from anonymous notes', async () => {
    const user = await createUser(test, { email: 'giveback@uni.example' })
    await confirm(await askFor(user, newEmail()))
    await db.updateTable('users').set({ former_name_words: [] }).where('id', '=', user.id).execute()
    const noteId = await createNote(test, user, { title: 'giveback sheet', isAnonymous: true })
    const token = tokenOf(await waitForMail(test, user.email))
    expect((await post(test, '/api/users/not-me', { token })).statusCode).toBe(200)
    const note = await db.selectFrom('notes').select('title').where('id', '=', noteId).executeTakeFirst()
    expect(note?.title).toBe('sheet')
  })

  it('returns the account to the old mailbox, whatever happened meanwhile', async ({ user }) => {
    const email = newEmail()
    await confirm(await askFor(user, email))
    const mine = tokenOf(await waitForMail(test, user.email))
    // The thief uses the new mailbox to set another password and to report that this was not them.
    await changePassword(test, user, 'Thief desk 42!')
    const theirs = tokenOf(await waitForMail(test, email, 2))
    expect((await post(test, '/api/users/not-me', { token: theirs })).statusCode).toBe(200)
    const answer = await post(test, '/api/users/not-me', { token: mine })
    expect(answer.statusCode).toBe(200)
    expect(await getEmail(user)).toBe(user.email)
    expect((await resetPassword(test, answer.json().resetToken, 'Mine again 42!')).statusCode).toBe(200)
    expect((await logIn(test, user.email, 'Mine again 42!')).statusCode).toBe(200)
    expectRefusal(await logIn(test, email, 'Thief desk 42!'), 'invalid_credentials')
  })

  it('takes the newest link alone', async ({ user }) => {
    const first = await askFor(user, newEmail())
    const second = await askFor(user, newEmail())
    expectRefusal(await confirm(first), 'email_link_invalid')
    expect((await confirm(second)).statusCode).toBe(200)
  })

  it('lets one of two accounts have an address that both ask for', async () => {
    const [one, other] = [await createUser(test), await createUser(test)]
    const email = newEmail()
    const tokens = [await askFor(one, email), await askFor(other, email, 2)]
    const answers = await Promise.all([...tokens, ...tokens].map(confirm))
    const owners = await db.selectFrom('users').select('id').where('email', '=', email).execute()
    expect(owners).toHaveLength(1)
    for (const answer of answers) if (answer.statusCode !== 200) expectRefusal(answer, 'email_link_invalid')
    const loser = owners[0]?.id === one.id ? other : one
    expect(await getEmail(loser)).toBe(loser.email)
  })

  it('takes no address that was registered meanwhile', async ({ user }) => {
    const email = newEmail()
    const token = await askFor(user, email)
    await post(test, '/api/users/verify', { token: await register(test, email, password, 2) })
    expectRefusal(await confirm(token), 'email_link_invalid')
    expect(await getEmail(user)).toBe(user.email)
  })

  it('leaves a registration of the address that waits nothing to verify', async ({ user }) => {
    const email = newEmail()
    const registration = await register(test, email)
    await confirm(await askFor(user, email, 2))
    expectRefusal(await post(test, '/api/users/verify', { token: registration }), 'verification_link_invalid')
  })

  it('voids a link to choose a password that lies in the old mailbox', async ({ user }) => {
    const reset = await requestReset(test, user.email)
    await confirm(await askFor(user, newEmail()))
    expectRefusal(await resetPassword(test, reset, 'A third desk 42!'), 'reset_link_invalid')
  })

  it('removes words of the new address from the titles of anonymous notes', async ({ user }) => {
    const noteId = await createNote(test, user, { title: 'zyxwvut week 1', isAnonymous: true })
    await confirm(await askFor(user, 'zyxwvut@uni.example'))
    const note = await db.selectFrom('notes').select('title').where('id', '=', noteId).executeTakeFirst()
    expect(note?.title).toBe('week 1')
  })

  it('refuses a link that is too old, and forgets it', async ({ user }) => {
    const token = await askFor(user, newEmail())
    const expired = { expires_at: sql<Date>`now() - interval '1 second'` }
    await db.updateTable('email_changes').set(expired).where('user_id', '=', user.id).execute()
    expectRefusal(await confirm(token), 'email_link_invalid')
    expect(await getPending(user)).toBeNull()
    await deleteExpiredChanges(db)
    expect(await db.selectFrom('email_changes').select('id').where('user_id', '=', user.id).execute()).toEqual([])
  })
})

const rename = ({ auth }: TestUser, payload?: object) => patch(test, '/api/users/me/name', payload, auth)
const readUser = async ({ auth }: TestUser) => (await get(test, '/api/users/me', auth)).json().user
const readNote = async ({ auth }: TestUser, id: string) => (await get(test, `/api/notes/${id}`, auth)).json()

it('PATCH /api/users/me/name changes the name, for others too', async ({ ada, ben }) => {
  const noteId = await createNote(test, ada)
  const response = await rename(ada, { name: '  Ada Lovelace ' })
  expect([response.statusCode, response.json()]).toEqual([200, { name: 'Ada Lovelace' }])
  expect(await readUser(ada)).toMatchObject({ name: 'Ada Lovelace', email: ada.email })
  expect((await readNote(ben, noteId)).user).toEqual({ _id: ada.id, name: 'Ada Lovelace' })
})

it('PATCH /api/users/me/name removes the new name from the titles of anonymous notes, and leaves the others', async () => {
  const [ada, ben] = [await createUser(test, { name: 'Ada' }), await createUser(test)]
  const anonymous = await createNote(test, ada, { title: 'Lovelace week 1', isAnonymous: true })
  const named = await createNote(test, ada, { title: 'Lovelace week 2' })
  const other = await createNote(test, ben, { title: 'Lovelace week 3', isAnonymous: true })
  await rename(ada, { name: 'Ada Lovelace' })
  expect((await readNote(ben, anonymous)).title).toBe('week 1')
  expect((await readNote(ben, named)).title).toBe('Lovelace week 2')
  expect((await readNote(ben, other)).title).toBe('Lovelace week 3')
  expect((await get(test, '/api/notes?title=Lovelace+week+1', ben.auth)).json().notes).toEqual([])
})

it('PATCH /api/users/me/name keeps removing the former name and address from them', async () => {
  const ada = await createUser(test, { name: 'Ada Formername', email: 's7654321x@uni.example' })
  const ben = await createUser(test)
  const named = await createNote(test, ada, { title: 'Formername week 1' })
  await rename(ada, { name: 'Ada Lovelace' })
  await rename(ada, { name: 'Ada King' })
  await inTransaction(test.deps.db, (tx) => changeIdentity(tx, ada.id, { email: 'ada.king@uni.example' }))
  const title = 'Lovelace, Formername, s7654321x week 1'
  const edit = { title, courseCode: 'MAT137', academicYear: '2025–26', isAnonymous: true }
  expect((await patch(test, `/api/users/me/notes/${named}`, edit, ada.auth)).json()).toMatchObject({ title: 'week 1' })
  expect((await readNote(ben, named)).title).toBe('week 1')
})

it.for([
  ['nothing', undefined, messages.fillAllFields],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, 'Use at most 100 characters.'],
] as const)('PATCH /api/users/me/name refuses %s', async ([_what, payload, message], { ada }) => {
  expectRefusal(await rename(ada, payload), 'invalid_input', message)
  expect(await readUser(ada)).toMatchObject({ name: ada.name })
})

const newPassword = 'Another desk 42!'
type Change = { currentPassword?: unknown; password?: unknown; confirmPassword?: unknown }
const common = { password: 'Password123!', confirmPassword: 'Password123!' }
const good = { currentPassword: password, password: newPassword, confirmPassword: newPassword }
const change = ({ auth }: Pick<TestUser, 'auth'>, given: Change = {}, { app } = test) =>
  post({ app }, '/api/users/me/password', { ...good, ...given }, auth)
const findHash = async ({ id }: TestUser) =>
  (await test.deps.db.selectFrom('passwords').select('password_hash').where('user_id', '=', id).executeTakeFirst())
    ?.password_hash

async function expectNothingChanged(user: TestUser, act: () => Promise<void>) {
  const before = [await findHash(user), await countRows(test)]
  await act()
  expect([await findHash(user), await countRows(test)]).toEqual(before)
  expect(mailsTo(test, user.email)).toEqual([])
}

it('POST /api/users/me/password changes it, ends the others, keeps this session and tells the owner', async ({
  user,
}) => {
  const bystander = await createUser(test)
  const elsewhere = await logIn(test, user.email)
  const response = await change(user)
  expect(response.statusCode).toBe(200)
  expect(response.json()).toEqual({ message: 'Password changed. Your other devices were logged out.' })
  expectRefusal(await getMe(test, accessOf(elsewhere)), 'unauthorized')
  expectRefusal(await post(test, '/api/users/auth/refresh', undefined, cookieOf(elsewhere)), 'session_expired')
  expect((await getMe(test, user.auth)).statusCode).toBe(200)
  expect((await getMe(test, bystander.auth)).statusCode).toBe(200)
  expect((await waitForMail(test, user.email)).subject).toBe('Your Lectern password was changed')
  expectRefusal(await logIn(test, user.email), 'invalid_credentials')
  expect((await logIn(test, user.email, newPassword)).statusCode).toBe(200)
})

it('POST /api/users/me/password voids a link to choose a password that was mailed before', async ({ user }) => {
  const token = await requestReset(test, user.email)
  await change(user)
  expectRefusal(await resetPassword(test, token, 'A third desk 42!'), 'reset_link_invalid')
})

it('POST /api/users/me/password accepts one of many simultaneous changes', async ({ user }) => {
  const passwords = Array.from({ length: 10 }, (_, index) => `${newPassword}${index}`)
  const changes = passwords.map((each) => change(user, { password: each, confirmPassword: each }))
  const { accepted } = await expectSuccesses(1, changes, 'wrong_password')
  expect((await logIn(test, user.email, passwords[accepted[0] ?? 0])).statusCode).toBe(200)
})

it.for([
  ['a wrong current password', { currentPassword: newPassword }, 'wrong_password', undefined],
  ['no current password', { currentPassword: '' }, 'invalid_input', messages.fillAllFields],
  ['a weak password', { password: 'x', confirmPassword: 'x' }, 'invalid_input', accountMessages.weakPassword],
  ['a password that everybody uses', common, 'common_password', undefined],
] as const)('POST /api/users/me/password refuses %s', async ([_what, given, code, message], { user }) => {
  await expectNothingChanged(user, async () => {
    const response = await change(user, given)
    expectRefusal(response, code, message)
    if (code === 'wrong_password') expect(response.json().fields).toEqual({ currentPassword: response.json().message })
  })
})

const wrong = { currentPassword: 'Not the desk 42!' }

it('guesses of the current password are limited like those at the login, without locking out other users', async () => {
  const [user, neighbour] = [await createUser(limited), await createUser(limited)]
  for (let attempt = 0; attempt < 10; attempt++) expectRefusal(await change(user, wrong, limited), 'wrong_password')
  const refused = await change(user, {}, limited)
  expectRefusal(refused, 'rate_limited')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  // Both endpoints share one count, which applies to this network address alone.
  expectRefusal(await logIn(limited, user.email), 'rate_limited')
  const login = { method: 'POST', url: '/api/users/login', payload: { email: user.email, password } } as const
  expect((await limited.app.inject({ ...login, remoteAddress: '10.1.2.3' })).statusCode).toBe(200)
  expect((await change(neighbour, {}, limited)).statusCode).toBe(200)
})

it('the current password forgives earlier failures when it is right', async () => {
  const user = await createUser(limited)
  for (let round = 0; round < 2; round++) {
    for (let attempt = 0; attempt < 9; attempt++) expectRefusal(await change(user, wrong, limited), 'wrong_password')
    // The current password is right, but the new one is common, so nothing changes.
    expectRefusal(await change(user, common, limited), 'common_password')
  }
})
