import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { hashToken } from '../../../platform/db/secret.ts'
import { createUser, openTestApp, openTestAppOn, type TestApp } from '../../../testing/app.ts'
import { expectNoRows, expectRefusal } from '../../../testing/refusal.ts'
import { accessOf, cookieOf, getMe, logIn, post } from '../../../testing/students.ts'

const test = await openTestApp()
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
  try {
    return await work()
  } finally {
    await sql`DROP FUNCTION rotate_ahead CASCADE`.execute(db)
  }
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
  const response = await refresh(cookie)
  expect(response.statusCode).toBe(200)
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
  const days = (Number(session?.expires_at.getTime()) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(29.9)
  expect(days).toBeLessThan(30.1)
})

it('POST /api/users/auth/refresh goes on along a chain of rotations, on any server', async () => {
  const { userId, cookie } = await createStudent()
  let current = cookie
  for (const server of [other, test, other, other, test]) {
    const response = await refresh(current, server)
    expect(response.statusCode).toBe(200)
    await ageRotation(current, 3_600)
    current = cookieOf(response)
  }
  expect(await findSessions(userId)).toHaveLength(1)
})

it('POST /api/users/auth/refresh gives a token that was just replaced the newest of the chain, which works on after the grace (F6)', async () => {
  const { userId, cookie } = await createStudent()
  const first = cookieOf(await refresh(cookie))
  const second = cookieOf(await refresh(first, other))
  const third = cookieOf(await refresh(second))
  await ageRotation(cookie, 0)
  const again = await refresh(cookie, other)
  expect(again.statusCode).toBe(200)
  expect(cookieOf(again)).toEqual(third)
  expect((await getMe(test, accessOf(again))).statusCode).toBe(200)

  for (const replaced of [cookie, first, second]) await ageRotation(replaced, 60)
  const later = await refresh(cookieOf(again))
  expect(later.statusCode).toBe(200)
  expect((await refresh(cookieOf(later), other)).statusCode).toBe(200)
  expect(await findSessions(userId)).toHaveLength(1)
})

it('POST /api/users/auth/refresh ends the session when a token comes back later, on every server (C10)', async () => {
  const { userId, login, cookie, email } = await createStudent()
  const elsewhere = await logIn(test, email)
  const rotated = await refresh(cookie)
  await getMe(test, accessOf(rotated))
  await ageRotation(cookie, 11)

  const response = await refresh(cookie)
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
  const again = await refresh(cookie, other)
  expect(again.statusCode).toBe(200)
  expect(cookieOf(again)).not.toEqual(cookieOf(lost))
  expectRefusal(await refresh(cookieOf(lost)), 'session_expired')
  // An access token of an earlier rotation does not mark the newest one as used.
  for (const answer of [login, lost]) expect((await getMe(test, accessOf(answer))).statusCode).toBe(200)
  await ageRotation(cookie, 3_600)
  const third = await refresh(cookie)
  expect(third.statusCode).toBe(200)
  await ageRotation(cookie, 0)
  expect(cookieOf(await refresh(cookie, other))).toEqual(cookieOf(third))
  expect((await refresh(cookieOf(third))).statusCode).toBe(200)
  expect(await findSessions(userId)).toHaveLength(1)
})

it.each(['a refresh', 'a logout'])(
  'POST /api/users/auth/refresh ends the session by %s with a successor that was given up for another (C10)',
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

it.each(['an exchange', 'a request'])(
  'POST /api/users/auth/refresh ends the session of a token whose successor was used by %s (C10)',
  async (use) => {
    const { userId, cookie } = await createStudent()
    const rotated = await refresh(cookie)
    const used = use === 'a request' ? await getMe(test, accessOf(rotated)) : await refresh(cookieOf(rotated))
    expect(used.statusCode).toBe(200)
    await ageRotation(cookie, 11)
    expectRefusal(await refresh(cookie, other), 'session_expired')
    expect(await findSessions(userId)).toEqual([])
    expectRefusal(await refresh(cookieOf(rotated)), 'session_expired')
  },
)

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

it('POST /api/users/auth/refresh?ifAny=true goes on with a session as ever, and refuses a cookie that is worth nothing', async () => {
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
  ['a token of 8 kB', { cookie: `lectern-refresh=${'A'.repeat(8_000)}` }],
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
