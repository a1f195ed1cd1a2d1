import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { createUser, itWithUsers, openTestApp, openTestAppOn, type TestUser } from '../../../testing/app.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { accessOf, cookieOf, countSessions, getMe, logIn, post } from '../../../testing/students.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const other = await openTestAppOn(test)

const refresh = (cookie: { cookie: string }) => post(test, '/api/users/auth/refresh', undefined, cookie)

describe.each(['/api/users/logout', '/api/users/auth/logout'])('POST %s', (url) => {
  it('ends the session immediately, and no other (C12)', async ({ user }) => {
    const [here, elsewhere] = [await logIn(test, user.email), await logIn(test, user.email)]

    const response = await post(test, url, undefined, cookieOf(here))
    expect(response.statusCode).toBe(204)
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
    for (const headers of [cookie, cookie, unknown, {}, noToken]) {
      expect((await post(test, url, undefined, headers)).statusCode).toBe(204)
    }
    expect(await countSessions(test, user)).toBe(1)
  })

  it.each(['{}', '', '{'])('takes %j for a body', async (payload) => {
    const user = await createUser(test)
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
const { db } = test.deps

/** Logs in and uses the session on every server. */
async function logInEverywhere(user: TestUser) {
  const login = await logIn(test, user.email)
  for (const server of servers) expect((await getMe(server, accessOf(login))).statusCode).toBe(200)
  return login
}
async function expectEnded(headers: TestUser['auth']): Promise<void> {
  for (const answer of await Promise.all(servers.map((server) => getMe(server, headers)))) {
    expectRefusal(answer, 'unauthorized')
  }
}

it.each([
  ['deleted', (id: string) => sql`DELETE FROM sessions WHERE user_id = ${id}`],
  ['cut short', (id: string) => sql`UPDATE sessions SET expires_at = now() WHERE user_id = ${id}`],
  ['deleted with its student', (id: string) => sql`DELETE FROM users WHERE id = ${id}`],
  ['deleted with all others', () => sql`TRUNCATE sessions CASCADE`],
])('a session on several servers ends when it is %s in the database by any program', async (_how, end) => {
  const user = await createUser(test)
  const login = await logInEverywhere(user)
  await end(user.id).execute(db)
  await expectEnded(accessOf(login))
})
