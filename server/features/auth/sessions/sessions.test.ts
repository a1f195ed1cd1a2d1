import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { deriveSecret, hashToken } from '../../../platform/db/secret.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { TestApp, TestUser } from '../../../testing/app.ts'
import { createNote, createUser, itWithUsers, openTestApp, openTestAppOn, password } from '../../../testing/app.ts'
import { expectNoRows, expectRefusal, expectStatus } from '../../../testing/refusal.ts'
import {
  accessOf,
  cookieOf,
  countSessions,
  getMe,
  logIn,
  patch,
  post,
  register,
  requestReset,
} from '../../../testing/students.ts'
import { hoursUntil } from '../../../testing/times.ts'
import { createRequireUser } from './require-user.ts'
import { insertSession } from './sessions.queries.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const other = await openTestAppOn(test)
const { db } = test.deps
const refresh = (cookie: { cookie: string }, server: TestApp = test) =>
  post(server, '/api/users/auth/refresh', undefined, cookie)

const hashOf = (cookie: { cookie: string }) => hashToken(cookie.cookie.split('=')[1] ?? '')
const findSessions = (userId: string) => db.selectFrom('sessions').selectAll().where('user_id', '=', userId).execute()
const ageRotation = (cookie: { cookie: string }, seconds: number) =>
  db
    .updateTable('refresh_tokens')
    .set({ rotated_at: sql<Date>`clock_timestamp() - ${seconds} * interval '1 second'` })
    .where('token_hash', '=', hashOf(cookie))
    .executeTakeFirstOrThrow()

/** Dates rotations an hour ahead, so that fifty requests are within the grace period on any machine. */
async function whileNoGracePasses<T>(work: () => Promise<T>): Promise<T> {
  await sql`
    CREATE FUNCTION rotate_ahead() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN NEW.rotated_at := NEW.rotated_at + interval '1 hour'; RETURN NEW; END $$`.execute(db)
  await sql`
    CREATE TRIGGER rotate_ahead BEFORE UPDATE OF rotated_at ON refresh_tokens
    FOR EACH ROW EXECUTE FUNCTION rotate_ahead()`.execute(db)
  return await work().finally(() => sql`DROP FUNCTION rotate_ahead CASCADE`.execute(db))
}

/** Creates a user whose only session is a browser login. */
async function createStudent() {
  const user = await createUser(test)
  await db.deleteFrom('sessions').where('id', '=', user.sessionId).execute()
  const login = await logIn(test, user.email)
  return { userId: user.id, email: user.email, login, cookie: cookieOf(login) }
}

it('POST /api/users/auth/refresh answers with an access token and replaces the cookie', async () => {
  const { userId, login, cookie } = await createStudent()
  const response = await expectStatus(200, refresh(cookie))
  expect(response.json()).toEqual({ accessToken: expect.any(String) })
  expect(response.headers['cache-control']).toBe('no-store')
  expect(cookieOf(response)).not.toEqual(cookie)
  expect((await getMe(test, accessOf(response))).json().user._id).toBe(userId)
  expect((await getMe(test, accessOf(login))).statusCode).toBe(200)
  const [old, current] = [hashOf(cookie), hashOf(cookieOf(response))]
  const tokens = db.selectFrom('refresh_tokens').selectAll().where('token_hash', 'in', [old, current])
  expect(await tokens.orderBy('rotated_at').execute()).toMatchObject([
    { token_hash: old, rotated_at: expect.any(Date) },
    { token_hash: current, rotated_at: null },
  ])
})

it.each(['', '{}'])('POST /api/users/auth/refresh takes %j for a body', async (payload) => {
  const { cookie } = await createStudent()
  const headers = { ...cookie, 'content-type': 'application/json' }
  const url = '/api/users/auth/refresh'
  expect((await test.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
})

it('POST /api/users/auth/refresh lets the session slide on for 30 days', async () => {
  const { userId, cookie } = await createStudent()
  await sql`UPDATE sessions SET expires_at = now() + interval '1 hour' WHERE user_id = ${userId}`.execute(db)
  expect((await refresh(cookie)).statusCode).toBe(200)
  const [session] = await findSessions(userId)
  expect(hoursUntil(session?.expires_at ?? '')).toBeCloseTo(30 * 24, 0)
})

it('POST /api/users/auth/refresh gives a token that was just replaced the newest of the chain, which works on after the grace (F6)', async () => {
  const { userId, cookie } = await createStudent()
  const first = cookieOf(await refresh(cookie))
  const second = cookieOf(await refresh(first, other))
  const third = cookieOf(await refresh(second))
  await ageRotation(cookie, 0)
  const again = await expectStatus(200, refresh(cookie, other))
  expect(cookieOf(again)).toEqual(third)
  expect((await getMe(test, accessOf(again))).statusCode).toBe(200)
  for (const replaced of [cookie, first, second]) await ageRotation(replaced, 60)
  const later = await expectStatus(200, refresh(cookieOf(again)))
  expect((await refresh(cookieOf(later), other)).statusCode).toBe(200)
  expect(await findSessions(userId)).toHaveLength(1)
})

it('POST /api/users/auth/refresh ends the session when a token comes back later, on every server (C10)', async () => {
  const { userId, login, cookie, email } = await createStudent()
  const elsewhere = await logIn(test, email)
  const rotated = await refresh(cookie)
  expect((await getMe(test, accessOf(rotated))).statusCode).toBe(200)
  await ageRotation(cookie, 11)
  const response = await refresh(cookie, other)
  expectRefusal(response, 'session_expired', 'Session expired. Please log in again.')
  expect(response.json().message).not.toMatch(/^Unauthorized/)
  for (const server of [test, other]) expectRefusal(await refresh(cookieOf(rotated), server), 'session_expired')
  for (const answer of [login, rotated]) expectRefusal(await getMe(test, accessOf(answer)), 'unauthorized')
  // Only this one session was stolen.
  expect((await refresh(cookieOf(elsewhere))).statusCode).toBe(200)
  expect(await findSessions(userId)).toHaveLength(1)
  const kept = db.selectFrom('refresh_tokens').where('token_hash', '=', hashOf(cookie)).selectAll()
  expect(await kept.execute()).toEqual([])
})

it('POST /api/users/auth/refresh gives another successor at any time while the last one was never used, and that one dies (C10)', async () => {
  const { userId, login, cookie } = await createStudent()
  const lost = await refresh(cookie)
  await ageRotation(cookie, 3_600)
  const again = await expectStatus(200, refresh(cookie, other))
  expect(cookieOf(again)).not.toEqual(cookieOf(lost))
  expectRefusal(await refresh(cookieOf(lost)), 'session_expired')
  // An access token of an earlier rotation does not mark the newest one as used.
  for (const answer of [login, lost]) expect((await getMe(test, accessOf(answer))).statusCode).toBe(200)
  await ageRotation(cookie, 3_600)
  const third = await expectStatus(200, refresh(cookie))
  await ageRotation(cookie, 0)
  expect(cookieOf(await refresh(cookie, other))).toEqual(cookieOf(third))
  expect((await refresh(cookieOf(third))).statusCode).toBe(200)
  expect(await findSessions(userId)).toHaveLength(1)
})

it.each(['a refresh', 'a logout'])(
  'refresh ends the session by %s with a successor that was given up (C10)',
  async (how) => {
    const { userId, cookie } = await createStudent()
    const first = cookieOf(await refresh(cookie))
    await ageRotation(cookie, 11)
    const second = cookieOf(await refresh(cookie, other))
    await ageRotation(first, 11)
    if (how === 'a refresh') expectRefusal(await refresh(first), 'session_expired')
    else expect((await post(test, '/api/users/logout', undefined, first)).statusCode).toBe(204)
    expect(await findSessions(userId)).toEqual([])
    expectRefusal(await refresh(second), 'session_expired')
  },
)

it('refresh ends the session of a token whose successor was exchanged (C10)', async () => {
  const { userId, cookie } = await createStudent()
  const rotated = cookieOf(await refresh(cookie))
  expect((await refresh(rotated)).statusCode).toBe(200)
  await ageRotation(cookie, 11)
  expectRefusal(await refresh(cookie, other), 'session_expired')
  expect(await findSessions(userId)).toEqual([])
  expectRefusal(await refresh(rotated), 'session_expired')
})

it('POST /api/users/auth/refresh lets fifty tabs refresh simultaneously with one cookie, and all go on (C11)', async () => {
  const { userId, cookie } = await createStudent()
  const responses = await whileNoGracePasses(() =>
    Promise.all(Array.from({ length: 50 }, (_, n) => refresh(cookie, n % 2 ? test : other))),
  )
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200))
  expect(new Set(responses.map((response) => cookieOf(response).cookie)).size).toBe(1)
  const [session, ...others] = await findSessions(userId)
  expect(others).toEqual([])
  const { rows } = await sql`SELECT rotated_at FROM refresh_tokens WHERE session_id = ${session?.id}
      ORDER BY rotated_at NULLS FIRST`.execute(db)
  expect(rows).toEqual([{ rotated_at: null }, { rotated_at: expect.any(Date) }])
  for (const response of responses.slice(0, 5)) expect((await getMe(test, accessOf(response))).statusCode).toBe(200)
  expect((await refresh(cookieOf(responses[0] as (typeof responses)[0]))).statusCode).toBe(200)
})

it('POST /api/users/auth/refresh never revives a session that is logged out at the same moment', async () => {
  for (let round = 0; round < 5; round++) {
    const { userId, cookie } = await createStudent()
    const refreshes = Array.from({ length: 6 }, () => refresh(cookie))
    const logout = post(test, '/api/users/logout', undefined, cookie)
    const answers = await Promise.all([...refreshes, ...Array.from({ length: 6 }, () => refresh(cookie, other))])
    expect((await logout).statusCode).toBe(204)
    expect(answers.filter(({ statusCode }) => ![200, 401].includes(statusCode))).toEqual([])
    expect(await findSessions(userId)).toEqual([])
    for (const answer of answers) {
      if (answer.statusCode === 200) expectRefusal(await getMe(test, accessOf(answer)), 'unauthorized')
    }
  }
})

const ask = (headers = {}) => post(test, '/api/users/auth/refresh?ifAny=true', undefined, headers)

it('POST /api/users/auth/refresh?ifAny=true answers a browser without the cookie with 204, and leaves nothing', async () => {
  await expectNoRows(test, async () => {
    const response = await ask()
    expect([response.statusCode, response.body, response.headers['set-cookie']]).toEqual([204, '', undefined])
  })
})

it('POST /api/users/auth/refresh?ifAny=true continues a session as usual, and refuses an invalid cookie', async () => {
  const { userId, cookie } = await createStudent()
  const response = await ask(cookie)
  expect((await getMe(test, accessOf(response))).json().user._id).toBe(userId)
  await ageRotation(cookie, 11)
  expectRefusal(await ask(cookie), 'session_expired')
  expect(await findSessions(userId)).toEqual([])
  for (const value of ['', 'A'.repeat(43)])
    expectRefusal(await ask({ cookie: `lectern-refresh=${value}` }), 'session_expired')
})

it.each([
  ['no cookie', {}],
  ['an empty cookie', { cookie: 'lectern-refresh=' }],
  ['an unknown token', { cookie: `lectern-refresh=${'A'.repeat(43)}` }],
  ['a token with a NUL', { cookie: 'lectern-refresh=%00' }],
  ['a broken cookie', { cookie: 'lectern-refresh=%E0%A4%A; =;;lectern-refresh' }],
])('POST /api/users/auth/refresh refuses %s', async (_what, headers) => {
  await expectNoRows(test, async () =>
    expectRefusal(await post(test, '/api/users/auth/refresh', undefined, headers), 'session_expired'),
  )
})

it('POST /api/users/auth/refresh refuses an expired session, and its access token', async () => {
  const { userId, login, cookie } = await createStudent()
  await sql`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = ${userId}`.execute(db)
  expectRefusal(await refresh(cookie), 'session_expired')
  expectRefusal(await getMe(test, accessOf(login)), 'unauthorized')
})

it('POST /api/users/auth/refresh refuses an access token in the cookie', async () => {
  const { login } = await createStudent()
  expectRefusal(await refresh({ cookie: `lectern-refresh=${login.json().accessToken}` }), 'session_expired')
})

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const logInWith = (email: string, userAgent: string) =>
  post(test, '/api/users/login', { email, password }, { 'user-agent': userAgent })
const list = async (headers: { authorization: string }) =>
  (await test.app.inject({ url: '/api/users/me/sessions', headers })).json().sessions
const idsOf = async (headers: { authorization: string }) => (await list(headers)).map(({ _id }: { _id: string }) => _id)
const endOne = (headers: { authorization: string }, id: string, currentPassword: unknown = password) =>
  post(test, `/api/users/me/sessions/${id}/end`, { currentPassword }, headers)
const endOthers = ({ auth }: TestUser, currentPassword: unknown = password) =>
  post(test, '/api/users/me/sessions/end-others', { currentPassword }, auth)

it('GET /api/users/me/sessions lists one’s living sessions with their devices, this one first', async ({ user }) => {
  await createUser(test)
  const login = await logInWith(user.email, firefox)
  await logInWith(user.email, 'curl/8.5.0 <b>evil</b>')
  const expired = await createSession(user)
  await sql`UPDATE sessions SET expires_at = now() - interval '1 second' WHERE id = ${expired}`.execute(db)
  const sessions = await list(user.auth)
  expect(sessions[0]).toMatchObject({ _id: user.sessionId, device: null, isCurrent: true })
  expect(sessions.map(({ device }: { device: string }) => device)).toEqual([null, null, 'Firefox on Linux'])
  expect((await list(accessOf(login)))[0]).toMatchObject({ device: 'Firefox on Linux', isCurrent: true })
  expect(Object.keys(sessions[0])).toEqual(['_id', 'device', 'startedAt', 'lastUsedAt', 'isCurrent'])
})

it('GET /api/users/me/sessions shows when each was used last, as of its last refresh', async ({ user }) => {
  const login = await logInWith(user.email, firefox)
  const at = sql<Date>`now() - interval '2 days'`
  const long = { created_at: at, last_used_at: at }
  await db.updateTable('sessions').set(long).where('user_id', '=', user.id).execute()
  const refreshed = await post(test, '/api/users/auth/refresh', undefined, cookieOf(login))
  const [{ startedAt, lastUsedAt }] = await list(accessOf(refreshed))
  expect(Date.parse(lastUsedAt) - Date.parse(startedAt)).toBeGreaterThan(24 * 3600 * 1000)
})

it('ending sessions ends the given one, immediately', async ({ user }) => {
  const [first, second] = [await logInWith(user.email, firefox), await logInWith(user.email, firefox)]
  const [{ _id }] = await list(accessOf(first))
  expect((await endOne(user.auth, _id)).statusCode).toBe(204)
  expectRefusal(await getMe(test, accessOf(first)), 'unauthorized')
  expectRefusal(await post(test, '/api/users/auth/refresh', undefined, cookieOf(first)), 'session_expired')
  expect((await getMe(test, accessOf(second))).statusCode).toBe(200)
  expect((await endOne(user.auth, _id)).statusCode).toBe(204)
})

it('ending sessions ends all others, even in many simultaneous requests', async ({ user }) => {
  const bystander = await createUser(test)
  for (let more = 0; more < 5; more++) await createSession(user)
  const answers = await Promise.all(Array.from({ length: 5 }, () => endOthers(user)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204, 204, 204])
  expect(await idsOf(user.auth)).toEqual([user.sessionId])
  expect((await getMe(test, bystander.auth)).statusCode).toBe(200)
})

it('ending sessions ends no session of other users', async ({ user, other }) => {
  expect((await endOne(user.auth, other.sessionId)).statusCode).toBe(204)
  expect((await getMe(test, other.auth)).statusCode).toBe(200)
})

it('ending sessions needs the password, so that a session that was taken over ends no other', async ({ user }) => {
  const other = await createSession(user)
  expectRefusal(await endOne(user.auth, other, 'Not the desk 42!'), 'wrong_password')
  expectRefusal(await endOthers(user, 'Not the desk 42!'), 'wrong_password')
  expectRefusal(await endOthers(user, ''), 'invalid_input', 'Please fill in all fields')
  expect((await endOne(user.auth, 'no-id')).statusCode).toBe(400)
  expect((await idsOf(user.auth)).toSorted()).toEqual([user.sessionId, other].toSorted())
})

const createSession = ({ id }: TestUser) => inTransaction(db, (tx) => insertSession(tx, id, 86_400))
const user = await createUser(test)
const noteId = await createNote(test, user)
const routes = [
  ['GET', '/api/users/me'],
  ['PATCH', '/api/users/me'],
  ['GET', '/api/notes'],
  ['GET', '/api/users/me/notes'],
  ['GET', '/api/users/me/notes/liked'],
  ['GET', `/api/users/me/notes/same-file?sha256=${'0'.repeat(64)}`],
  ['POST', '/api/notes'],
  ['GET', `/api/notes/${noteId}/view`],
  ['PATCH', `/api/notes/${noteId}/rating`],
  ['PATCH', `/api/users/me/notes/${noteId}`],
  ['DELETE', `/api/users/me/notes/${noteId}`],
] as const

const seconds = () => Math.floor(Date.now() / 1000)
const ourKey = deriveSecret(test.deps.secret, 'access-token')

/** Builds a token as the server does, except for the given parts. */
function forge({ sid = user.sessionId, exp = `${seconds() + 600}`, key = ourKey, hash = 'sha256' } = {}): string {
  return `${sid}.0.${exp}.${createHmac(hash, key).update(`${sid}.0.${exp}`).digest('base64url')}`
}

async function refusedTokens(): Promise<[string, string | undefined][]> {
  const valid = forge()
  const stranger = await createUser(test)
  const login = await logIn(test, user.email)
  const ended = await createUser(test)
  await test.deps.db.deleteFrom('sessions').where('id', '=', ended.sessionId).execute()
  return [
    ['no header', undefined],
    ['no token', 'Bearer '],
    ['another scheme', `Basic ${valid}`],
    ['no scheme', valid],
    ['nonsense', 'Bearer a.b.c'],
    ['two tokens', `Bearer ${valid} ${valid}`],
    ['an expired one', `Bearer ${forge({ exp: `${seconds() - 61}` })}`],
    ['one that never expires', `Bearer ${forge({ exp: '' })}`],
    ['an expiry that is no number', `Bearer ${forge({ exp: 'never' })}`],
    ['no signature', `Bearer ${valid.slice(0, valid.lastIndexOf('.') + 1)}`],
    ['a shorter signature', `Bearer ${valid.slice(0, -1)}`],
    ['another algorithm', `Bearer ${forge({ hash: 'sha512' })}`],
    ['another key', `Bearer ${forge({ key: 'a guess that is wrong, but long' })}`],
    ['the secret itself for a key', `Bearer ${forge({ key: test.deps.secret })}`],
    ['another purpose', `Bearer ${forge({ key: deriveSecret(test.deps.secret, 'refresh-token') })}`],
    ['another session', `Bearer ${valid.replace(user.sessionId, stranger.sessionId)}`],
    ['a later expiry', `Bearer ${valid.replace(/[.]\d+[.]/, `.${seconds() + 6000}.`)}`],
    ['no session', `Bearer ${forge({ sid: '00000000-0000-4000-8000-000000000000' })}`],
    ['an ended session', ended.auth.authorization],
    ['a refresh token', `Bearer ${cookieOf(login).cookie.split('=')[1]}`],
    ['a verification token', `Bearer ${await register(test, 'fresh@uni.example')}`],
    ['a reset token', `Bearer ${await requestReset(test, user.email)}`],
  ]
}

it('routes for signed-in users take a token as ours are, or this file proves nothing', async () => {
  // The last token has just expired by a clock that is a little late.
  const late = forge({ exp: `${seconds() - 1}` })
  for (const authorization of [`Bearer ${forge()}`, `bearer ${forge()}`, `Bearer ${late}`])
    expect((await getMe(test, { authorization })).statusCode).toBe(200)
})

it('routes for signed-in users refuse every other one before they read the body (B2)', async () => {
  for (const [what, authorization] of await refusedTokens()) {
    for (const [method, url] of routes) {
      const headers = { ...(authorization !== undefined && { authorization }), 'content-type': 'application/json' }
      const request = { method, url, headers, ...(method !== 'GET' && { payload: '{broken' }) } as const
      const response = await test.app.inject(request)
      expect([what, url, response.statusCode]).toEqual([what, url, 401])
      expectRefusal(response, 'unauthorized', 'Unauthorized. Please log in.')
    }
  }
  expect(await test.deps.db.selectFrom('notes').select(['id', 'likes']).execute()).toEqual([{ id: noteId, likes: 0 }])
  expect(await test.deps.db.selectFrom('recently_viewed').selectAll().execute()).toEqual([])
})

it('routes for signed-in users know the user and their current role', async () => {
  const moderator = await createUser(test)
  const request = { headers: moderator.auth, routeOptions: {} } as unknown as FastifyRequest
  const requireUser = createRequireUser(test.deps)
  await requireUser(request)
  expect(request.viewer).toEqual({ id: moderator.id, role: 'student' })
  await test.deps.db.updateTable('users').set({ role: 'moderator' }).where('id', '=', moderator.id).execute()
  await requireUser(request)
  expect(request.viewer).toEqual({ id: moderator.id, role: 'moderator' })
})

it('routes for signed-in users do nothing for a session that has ended before the last byte of the body', async () => {
  const { id, name, auth } = await createUser(test)
  async function* sendSlowly() {
    yield '{"name":'
    expect((await test.app.inject({ method: 'POST', url: '/api/users/logout', headers: auth })).statusCode).toBe(204)
    yield '"A thief"}'
  }
  const headers = { ...auth, 'content-type': 'application/json' }
  expectRefusal(await patch(test, '/api/users/me/name', Readable.from(sendSlowly()), headers), 'unauthorized')
  const row = await test.deps.db.selectFrom('users').select('name').where('id', '=', id).executeTakeFirst()
  expect(row).toEqual({ name })
})

describe.each(['/api/users/logout', '/api/users/auth/logout'])('POST %s', (url) => {
  it('ends the session immediately, and no other (C12)', async ({ user }) => {
    const [here, elsewhere] = [await logIn(test, user.email), await logIn(test, user.email)]
    const response = await expectStatus(204, post(test, url, undefined, cookieOf(here)))
    expect(response.body).toBe('')
    expect(response.cookies).toMatchObject([{ name: 'lectern-refresh', value: '', path: '/', httpOnly: true }])
    expect(response.cookies[0]?.expires?.getTime()).toBeLessThan(Date.now())
    expectRefusal(await getMe(test, accessOf(here)), 'unauthorized')
    expectRefusal(await refresh(cookieOf(here)), 'session_expired')
    expect((await getMe(test, accessOf(elsewhere))).statusCode).toBe(200)
    expect((await refresh(cookieOf(elsewhere))).statusCode).toBe(200)
    // The factory's session is one of the three.
    expect(await countSessions(test, user)).toBe(2)
  })

  it('ends the session of a token that was replaced since', async ({ user }) => {
    const login = await logIn(test, user.email)
    const refreshed = await refresh(cookieOf(login))
    expect((await post(test, url, undefined, cookieOf(login))).statusCode).toBe(204)
    expectRefusal(await getMe(test, accessOf(refreshed)), 'unauthorized')
    expectRefusal(await refresh(cookieOf(refreshed)), 'session_expired')
  })

  it('ends the session of the access token where there is no cookie, on every server (F8)', async ({ user }) => {
    const [here, elsewhere] = [await logIn(test, user.email), await logIn(test, user.email)]
    expect((await post(test, url, undefined, accessOf(here))).statusCode).toBe(204)
    for (const server of [test, other]) expectRefusal(await getMe(server, accessOf(here)), 'unauthorized')
    expectRefusal(await refresh(cookieOf(here)), 'session_expired')
    expect((await getMe(test, accessOf(elsewhere))).statusCode).toBe(200)
  })

  it('ends both sessions where cookie and access token are of two', async ({ user }) => {
    const [one, two] = [await logIn(test, user.email), await logIn(test, user.email)]
    const headers = { ...cookieOf(one), ...accessOf(two) }
    expect((await post(test, url, undefined, headers)).statusCode).toBe(204)
    for (const login of [one, two]) expectRefusal(await getMe(test, accessOf(login)), 'unauthorized')
    expect(await countSessions(test, user)).toBe(1)
  })

  it('is no error when there is nothing to end', async ({ user }) => {
    const cookie = cookieOf(await logIn(test, user.email))
    const unknown = { cookie: `lectern-refresh=${'A'.repeat(43)}` }
    const noToken = { authorization: 'Bearer a.b.c' }
    for (const headers of [cookie, cookie, unknown, {}, noToken])
      expect((await post(test, url, undefined, headers)).statusCode).toBe(204)
    expect(await countSessions(test, user)).toBe(1)
  })

  it.for(['{}', '', '{'])('takes %j for a body', async (payload, { user }) => {
    const cookie = cookieOf(await logIn(test, user.email))
    const headers = { ...cookie, 'content-type': 'application/json', 'content-length': String(payload.length) }
    expect((await test.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(204)
    expect(await countSessions(test, user)).toBe(1)
  })

  it('refuses a form, which any site can send (C14)', async ({ user }) => {
    const login = await logIn(test, user.email)
    const headers = { ...cookieOf(login), 'content-type': 'application/x-www-form-urlencoded' }
    expectRefusal(await test.app.inject({ method: 'POST', url, headers, payload: 'a=b' }), 'unsupported_media_type')
    expect((await getMe(test, accessOf(login))).statusCode).toBe(200)
  })
})

const servers = [test, other]

/** Logs in and uses the session on every server. */
async function logInEverywhere(user: TestUser) {
  const login = await logIn(test, user.email)
  for (const server of servers) expect((await getMe(server, accessOf(login))).statusCode).toBe(200)
  return login
}
async function expectEnded(headers: TestUser['auth']): Promise<void> {
  for (const answer of await Promise.all(servers.map((server) => getMe(server, headers))))
    expectRefusal(answer, 'unauthorized')
}

it.for([
  ['deleted', (id: string) => sql`DELETE FROM sessions WHERE user_id = ${id}`],
  ['cut short', (id: string) => sql`UPDATE sessions SET expires_at = now() WHERE user_id = ${id}`],
  ['deleted with its student', (id: string) => sql`DELETE FROM users WHERE id = ${id}`],
  ['deleted with all others', () => sql`TRUNCATE sessions CASCADE`],
] as const)('a session on several servers ends when it is %s in the database', async ([_how, end], { user }) => {
  const login = await logInEverywhere(user)
  await end(user.id).execute(db)
  await expectEnded(accessOf(login))
})
