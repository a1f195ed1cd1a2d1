import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { passkeyLimit } from '../../../../packages/contract/limits.ts'
import type { CreationOptions } from '../../../../packages/contract/passkeys.ts'
import type { TestApp, TestUser } from '../../../testing/app.ts'
import { createUser, itWithUsers, openTestApp, openTestAppOn, password } from '../../../testing/app.ts'
import { createAuthenticator } from '../../../testing/authenticator.ts'
import { jobContext } from '../../../testing/jobs.ts'
import { mailsTo, tokenOf, waitForMail } from '../../../testing/mails.ts'
import { expectNoRows, expectRefusal, expectStatus, expectSuccesses, toComparable } from '../../../testing/refusal.ts'
import { accessOf, countSessions, getMe, logIn, post, requestReset, resetPassword } from '../../../testing/students.ts'
import { whileLocked } from '../../../testing/with-blocked-query.ts'
import { deleteAccount } from '../../accounts/deletion/account-deletion.ts'
import { lockUser } from '../../accounts/users/users.ts'
import { suspendMember } from '../../moderation/suspensions/suspensions.ts'
import { endSessionsOfUser } from '../sessions/revoke-access.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const { db } = test.deps
const beginAdding = (user: Pick<TestUser, 'auth'>, currentPassword = password, on: Pick<TestApp, 'app'> = test) =>
  post(on, '/api/users/me/passkeys/options', { currentPassword }, user.auth)
const send = (user: Pick<TestUser, 'auth'>, credential: unknown, name = 'My phone') =>
  post(test, '/api/users/me/passkeys', { name, credential }, user.auth)

/** Adds a passkey as the settings do. */
async function add(user: TestUser, authenticator = createAuthenticator(), name = 'My phone') {
  const answer = await expectStatus(201, send(user, authenticator.create((await beginAdding(user)).json()), name))
  return { authenticator, passkey: answer.json() }
}
type Authenticator = ReturnType<typeof createAuthenticator>

const beginLogin = async () => (await post(test, '/api/users/login/passkey/options')).json()
const finishLogin = (credential: unknown) => post(test, '/api/users/login/passkey', { credential })
const logInBy = async (authenticator: Authenticator, signing?: Parameters<Authenticator['get']>[1]) =>
  finishLogin(authenticator.get(await beginLogin(), signing))

const list = async ({ auth }: TestUser) =>
  (await test.app.inject({ url: '/api/users/me/passkeys', headers: auth })).json().passkeys
const countPasskeys = async ({ id }: TestUser) =>
  (await db.selectFrom('passkeys').select('id').where('user_id', '=', id).execute()).length
const hasHandle = async ({ id }: TestUser) =>
  (await db.selectFrom('webauthn_user_handles').select('user_id').where('user_id', '=', id).execute()).length > 0

async function expectNothingAdded(user: TestUser, act: () => Promise<void>) {
  const before = await countPasskeys(user)
  await act()
  expect(await countPasskeys(user)).toBe(before)
  expect(mailsTo(test, user.email)).toEqual([])
}

const ofLogin = ['of a login', { type: 'webauthn.get' }] as const
const forgeries = [
  ['of another site', { origin: 'https://evil.example' }],
  ['of another host', { rpId: 'evil.example' }],
  ['without user verification', { isVerified: false }],
  ['with an unknown challenge', { challenge: 'A'.repeat(43) }],
] as const

describe('a passkey is added', () => {
  it('after the password, for this host alone, with user verification, and its owner is notified', async () => {
    const user = await createUser(test, { name: 'Ada Okafor' })
    const answer = await expectStatus(200, beginAdding(user))
    const options = answer.json()
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Lectern' },
      user: { name: user.email, displayName: 'Ada Okafor' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    // The user handle must not reveal the account.
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(64)
    expect(Buffer.from(options.user.id, 'base64url').toString('latin1')).not.toContain(user.id)
    const authenticator = createAuthenticator()
    const added = await expectStatus(201, send(user, authenticator.create(options), ' My  phone '))
    const any = expect.any(String)
    expect(added.json()).toEqual({ _id: any, name: 'My phone', createdAt: any, lastUsedAt: null })
    expect(await list(user)).toEqual([added.json()])
    expect((await waitForMail(test, user.email)).subject).toBe('A passkey was added to Lectern')
    const again = (await beginAdding(user)).json()
    expect(again.user.id).toBe(options.user.id)
    expect(again.excludeCredentials).toEqual([{ id: authenticator.id, type: 'public-key', transports: ['internal'] }])
  })

  it('on the host and at the address that PUBLIC_URL names', async () => {
    const overHttps = await openTestAppOn(test, { PUBLIC_URL: 'https://notes.example.org' })
    const user = await createUser(test)
    const options = (await beginAdding(user, password, overHttps)).json()
    expect(options.rp.id).toBe('notes.example.org')
    const credential = createAuthenticator('https://notes.example.org').create(options)
    const answer = await post(overHttps, '/api/users/me/passkeys', { name: 'Laptop', credential }, user.auth)
    expect(answer.statusCode).toBe(201)
  })

  it('with the right password alone', async ({ user }) => {
    await expectNothingAdded(user, async () => {
      expectRefusal(await beginAdding(user, 'Not the desk 42!'), 'wrong_password')
      expect(await hasHandle(user)).toBe(false)
    })
  })

  it.for([...forgeries, ofLogin] as const)('and not by an answer %s', async ([_what, fault], { user }) => {
    await expectNothingAdded(user, async () => {
      const options = (await beginAdding(user)).json()
      expectRefusal(await send(user, createAuthenticator().create(options, fault)), 'passkey_not_added')
    })
  })

  it('by a challenge that works once, in its session, for its purpose and five minutes', async ({ user, other }) => {
    const refuse = async (by: Pick<TestUser, 'auth'>, options: CreationOptions, fault = {}) =>
      expectRefusal(await send(by, createAuthenticator().create(options, fault)), 'passkey_not_added')
    await expectNothingAdded(user, async () => {
      const options = (await beginAdding(user)).json()
      await refuse(other, options)
      await refuse({ auth: accessOf(await logIn(test, user.email)) }, options)
      // A failure consumes the challenge as well.
      await refuse(user, options, { isVerified: false })
      await refuse(user, options)
      await refuse(user, { ...options, challenge: (await beginLogin()).challenge })
      const late = (await beginAdding(user)).json()
      await db.updateTable('passkey_challenges').set({ expires_at: sql<Date>`now()` }).execute()
      await refuse(user, late)
    })
  })

  it('by no session that ends meanwhile, so that none survives “Secure my account”', async ({ user }) => {
    const credential = createAuthenticator().create((await beginAdding(user)).json())
    await expectNothingAdded(user, async () => {
      const answer = await whileLocked(test, {
        hold: (tx) => lockUser(tx, user.id),
        ask: () => send(user, credential),
        happens: (tx) => endSessionsOfUser(tx, user.id),
      })
      expectRefusal(answer, 'unauthorized')
    })
  })

  it('once, also when its response is sent many times simultaneously', async ({ user }) => {
    const credential = createAuthenticator().create((await beginAdding(user)).json())
    const sent = Array.from({ length: 10 }, () => send(user, credential))
    await expectSuccesses(1, sent, 'passkey_not_added')
    expect(await countPasskeys(user)).toBe(1)
  })

  it('to one account alone', async ({ mia, ben }) => {
    const { authenticator } = await add(mia)
    await expectNothingAdded(ben, async () => {
      expectRefusal(await send(ben, authenticator.create((await beginAdding(ben)).json())), 'passkey_not_added')
    })
  })

  it('up to a limit, also simultaneously', async ({ user }) => {
    await add(user)
    await sql`INSERT INTO passkeys (user_id, credential_id, public_key, sign_count, transports, name)
      SELECT ${user.id}, decode(md5(n::text || ${user.id}), 'hex'), '', 0, '{}', 'Filler'
        FROM generate_series(2, ${passkeyLimit - 1}) n`.execute(db)
    const both = await Promise.all([beginAdding(user), beginAdding(user)])
    const answers = await Promise.all(both.map((answer) => send(user, createAuthenticator().create(answer.json()))))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    const message = 'You can have up to 20 passkeys. Remove one first.'
    expectRefusal(await beginAdding(user), 'too_many_passkeys', message)
  })

  it.for([
    ['no name', { name: ' ' }],
    ['a name that is too long', { name: 'x'.repeat(61) }],
    ['no credential', { credential: undefined }],
    ['a credential that is a text', { credential: 'x' }],
  ] as const)('and not with %s', async ([_what, given], { user }) => {
    await expectNothingAdded(user, async () => {
      const credential = createAuthenticator().create((await beginAdding(user)).json())
      const answer = await post(test, '/api/users/me/passkeys', { name: 'Phone', credential, ...given }, user.auth)
      expect(answer.json().code).toBe('invalid_input')
    })
  })
})

describe('a login with a passkey', () => {
  it('needs neither email nor password, starts a session and saves the time', async ({ user }) => {
    const { authenticator } = await add(user)
    const options = await beginLogin()
    const challenge = expect.stringMatching(/^[\w-]{43}$/)
    expect(options).toEqual({ challenge, rpId: 'localhost', timeout: 300_000, userVerification: 'required' })
    const answer = await expectStatus(200, finishLogin(authenticator.get(options)))
    expect(answer.json().user._id).toBe(user.id)
    expect(answer.cookies.map(({ name }) => name).sort()).toEqual(['lectern-device', 'lectern-refresh'])
    expect((await getMe(test, accessOf(answer))).statusCode).toBe(200)
    expect((await list(user))[0].lastUsedAt).toEqual(expect.any(String))
  })

  it('on a new device is announced by email', async ({ user }) => {
    const { authenticator } = await add(user)
    await waitForMail(test, user.email)
    await sql`UPDATE users SET created_at = now() - interval '2 days' WHERE id = ${user.id}`.execute(db)
    await logInBy(authenticator)
    expect((await waitForMail(test, user.email, 2)).subject).toBe('New login to your Lectern account')
  })

  it.for([
    ...forgeries,
    ['of an adding', { type: 'webauthn.create' }],
    ['for another student', { userHandle: 'A'.repeat(86) }],
  ] as const)('is refused with an answer %s', async ([_what, signing], { user }) => {
    const { authenticator } = await add(user)
    await expectNoRows(test, async () => expectRefusal(await logInBy(authenticator, signing), 'passkey_refused'))
  })

  it('is refused alike whether the passkey is unknown, removed or signs wrongly', async ({ user }) => {
    const { authenticator } = await add(user)
    const stranger = createAuthenticator()
    await expectNoRows(test, async () => {
      const unknown = await logInBy(stranger, { userHandle: 'A'.repeat(86) })
      expectRefusal(unknown, 'passkey_refused')
      expect(unknown.headers['set-cookie']).toBeUndefined()
      const forged = { ...stranger.get(await beginLogin()), id: authenticator.id, rawId: authenticator.id }
      const { response } = authenticator.get(await beginLogin())
      const answers = [
        await finishLogin({ ...forged, response: { ...forged.response, userHandle: response.userHandle } }),
        await logInBy(authenticator, { isVerified: false }),
      ]
      for (const answer of answers) expect(toComparable(answer)).toEqual(toComparable(unknown))
    })
  })

  it('accepts a challenge once, for its purpose, for five minutes and in its own session', async ({ user }) => {
    const { authenticator } = await add(user)
    const credential = authenticator.get(await beginLogin())
    const logins = Array.from({ length: 10 }, () => finishLogin(credential))
    await expectSuccesses(1, logins, 'passkey_refused')
    await expectNoRows(test, async () => {
      expectRefusal(await finishLogin(credential), 'passkey_refused')
      const { challenge } = (await beginAdding(user)).json()
      expectRefusal(await finishLogin(authenticator.get({ ...(await beginLogin()), challenge })), 'passkey_refused')
      const late = await beginLogin()
      await db.updateTable('passkey_challenges').set({ expires_at: sql<Date>`now()` }).execute()
      expectRefusal(await finishLogin(authenticator.get(late)), 'passkey_refused')
    })
  })

  it('is refused when the signature counter is lower than before, because the passkey was copied', async ({ user }) => {
    const { authenticator } = await add(user)
    expect((await logInBy(authenticator, { signCount: 4_000_000_000 })).statusCode).toBe(200)
    await expectNoRows(test, async () => {
      for (const signCount of [0, 5, 4_000_000_000])
        expectRefusal(await logInBy(authenticator, { signCount }), 'passkey_refused')
    })
    const both = await Promise.all([1, 2].map(() => logInBy(authenticator, { signCount: 4_000_000_001 })))
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
  })

  it('survives a password reset by email, and ends with the account', async ({ user }) => {
    const { authenticator } = await add(user)
    await waitForMail(test, user.email)
    const token = await requestReset(test, user.email, 2)
    expect((await resetPassword(test, token, 'Another desk 42!')).statusCode).toBe(200)
    expect((await logInBy(authenticator)).statusCode).toBe(200)
    await sql`UPDATE users SET deletion_due_at = now(), notes_on_deletion = 'remove' WHERE id = ${user.id}`.execute(db)
    await deleteAccount(test.deps, { userId: user.id }, jobContext)
    expectRefusal(await logInBy(authenticator), 'passkey_refused')
    expect(await hasHandle(user)).toBe(false)
  })
})

describe('a passkey is renamed', () => {
  const rename = ({ auth }: TestUser, id: string, name: unknown) =>
    test.app.inject({ method: 'PATCH', url: `/api/users/me/passkeys/${id}`, headers: auth, payload: { name } })

  it('by its student, and keeps working', async ({ user }) => {
    const { authenticator, passkey } = await add(user)
    const answer = await rename(user, passkey._id, ' My  laptop ')
    expect([answer.statusCode, answer.json()]).toEqual([200, { ...passkey, name: 'My laptop' }])
    expect(await list(user)).toEqual([{ ...passkey, name: 'My laptop' }])
    expect((await logInBy(authenticator)).statusCode).toBe(200)
  })

  it('only by its owner; others get 404, and an invalid name is refused', async ({ mia, ben }) => {
    const { passkey } = await add(mia)
    const ofNobody = await rename(ben, crypto.randomUUID(), 'Mine')
    expectRefusal(ofNobody, 'passkey_not_found')
    expect(toComparable(await rename(ben, passkey._id, 'Mine'))).toEqual(toComparable(ofNobody))
    for (const name of [' ', 7, 'x'.repeat(1_000)])
      expect([name, (await rename(mia, passkey._id, name)).statusCode]).toEqual([name, 400])
    expect(await list(mia)).toEqual([passkey])
  })
})

describe('a passkey is removed', () => {
  const remove = (user: TestUser, id: string, currentPassword = password) =>
    post(test, `/api/users/me/passkeys/${id}/remove`, { currentPassword }, user.auth)

  it('after the password, immediately, and its owner is notified; a second removal is no error', async ({ user }) => {
    const { authenticator, passkey } = await add(user)
    await waitForMail(test, user.email)
    expectRefusal(await remove(user, passkey._id, 'Not the desk 42!'), 'wrong_password')
    expect(await countPasskeys(user)).toBe(1)
    expect((await remove(user, passkey._id)).statusCode).toBe(204)
    expect((await remove(user, passkey._id)).statusCode).toBe(204)
    expectRefusal(await logInBy(authenticator), 'passkey_refused')
    expect((await waitForMail(test, user.email, 2)).subject).toBe('A passkey was removed from Lectern')
  })

  it('only by its owner', async ({ mia, ben }) => {
    const { authenticator, passkey } = await add(mia)
    expect((await remove(ben, passkey._id)).statusCode).toBe(204)
    expect((await logInBy(authenticator)).statusCode).toBe(200)
    expect(mailsTo(test, ben.email)).toEqual([])
  })
})

it('a passkey of a stranger goes by the link in the mail about it, and so do all others', async ({ user }) => {
  const { authenticator: own } = await add(user, createAuthenticator(), 'Mine')
  await waitForMail(test, user.email, 1)
  const { authenticator: thiefs } = await add(user, createAuthenticator(), 'Not mine')
  const begun = thiefs.get(await beginLogin())
  const token = tokenOf(await waitForMail(test, user.email, 2))
  expect((await logInBy(thiefs)).statusCode).toBe(200)
  expect((await post(test, '/api/users/not-me', { token })).statusCode).toBe(200)
  expect([await countSessions(test, user), await countPasskeys(user)]).toEqual([0, 0])
  expectRefusal(await finishLogin(begun), 'passkey_refused')
  for (const authenticator of [own, thiefs]) expectRefusal(await logInBy(authenticator), 'passkey_refused')
})

it('logins with a passkey are counted by address, and need a challenge', async () => {
  const limited = await openTestApp({ RATE_LIMIT: 'on' })
  const limit = { name: 'passkey-login-address', points: 1000, seconds: 900 }
  await limited.deps.rateLimits.consumePoints(limit, '127.0.0.1', 999)
  expect((await post(limited, '/api/users/login/passkey/options')).statusCode).toBe(200)
  expectRefusal(await post(limited, '/api/users/login/passkey/options'), 'rate_limited')
})

it('opens little of an account that is suspended', async ({ user }) => {
  const { authenticator } = await add(user)
  await suspendMember(test.deps, null, user.id, { days: null, reason: 'Sold exams.', hidesNotes: false })
  const login = await logInBy(authenticator)
  expect(login.json().user).toMatchObject({ suspension: { reason: 'Sold exams.' } })
  const list = await test.app.inject({ url: '/api/notes', headers: accessOf(login) })
  expect(list.json()).toMatchObject({ code: 'account_suspended' })
})
