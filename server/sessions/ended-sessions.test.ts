import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openTestApp, openTestAppOn, type TestApp } from '../test/app.ts'
import { createUser, password, type TestUser } from '../test/factories.ts'
import { tokenOf, waitForMail } from '../test/mails.ts'
import { expectRefusal } from '../test/refusal.ts'
import { accessOf, cookieOf, logIn, post, requestReset } from '../test/students.ts'
import { createRequireUser } from './require-user.ts'

const test = await openTestApp()
const other = await openTestAppOn(test)
const servers = [test, other]
const { db } = test.deps

type Auth = { authorization: string }
const getMe = (server: TestApp, headers: Auth) => server.app.inject({ url: '/api/users/me', headers })
/** Logs in and uses the session on every server. */
async function logInEverywhere(user: TestUser) {
  const login = await logIn(test, user.email)
  for (const server of servers) expect((await getMe(server, accessOf(login))).statusCode).toBe(200)
  return login
}
async function expectEnded(headers: Auth): Promise<void> {
  for (const answer of await Promise.all(servers.map((server) => getMe(server, headers)))) {
    expectRefusal(answer, 'unauthorized')
  }
}

describe('a session on several servers', () => {
  it('ends on all of them with the logout from one', async () => {
    const user = await createUser(test)
    for (let round = 0; round < 5; round++) {
      const login = await logInEverywhere(user)
      const here = round % 2 === 0 ? test : other
      expect((await post(here, '/api/users/logout', undefined, cookieOf(login))).statusCode).toBe(204)
      await expectEnded(accessOf(login))
    }
  })

  it('ends with the reset of a password, and no session of others does', async () => {
    const [user, neighbour] = await Promise.all([createUser(test), createUser(test)])
    const [one, two, theirs] = [
      await logInEverywhere(user),
      await logInEverywhere(user),
      await logInEverywhere(neighbour),
    ]
    // The second login brings the first, about a new device.
    await waitForMail(test, user.email)
    const token = await requestReset(test, user.email, 2)
    const next = { password: 'Another desk 42!', confirmPassword: 'Another desk 42!' }
    const reset = await post(test, '/api/users/reset-password', { token, ...next })
    expect(reset.statusCode).toBeLessThan(300)
    for (const login of [one, two]) await expectEnded(accessOf(login))
    for (const server of servers) expect((await getMe(server, accessOf(theirs))).statusCode).toBe(200)
  })

  it('ends when the password is changed in another one, which itself ends when its owner says that was not them', async () => {
    const user = await createUser(test)
    const [here, elsewhere] = [await logInEverywhere(user), await logInEverywhere(user)]
    await waitForMail(test, user.email)
    const passwords = { currentPassword: password, password: 'Another desk 42!', confirmPassword: 'Another desk 42!' }
    const changed = await post(other, '/api/users/me/password', passwords, accessOf(here))
    expect(changed.statusCode).toBe(200)
    await expectEnded(accessOf(elsewhere))
    for (const server of servers) expect((await getMe(server, accessOf(here))).statusCode).toBe(200)
    const token = tokenOf(await waitForMail(test, user.email, 2))
    expect((await post(test, '/api/users/not-me', { token })).statusCode).toBe(200)
    await expectEnded(accessOf(here))
  })

  it('ends with the theft of its refresh token', async () => {
    const login = await logInEverywhere(await createUser(test))
    const refresh = () => post(test, '/api/users/auth/refresh', undefined, cookieOf(login))
    const stolen = await refresh()
    expect((await post(other, '/api/users/auth/refresh', undefined, cookieOf(stolen))).statusCode).toBe(200)
    await sql`UPDATE refresh_tokens SET rotated_at = rotated_at - interval '1 minute'`.execute(db)
    expectRefusal(await refresh(), 'session_expired')
    await expectEnded(accessOf(login))
  })

  it.each([
    ['deleted', (id: string) => sql`DELETE FROM sessions WHERE user_id = ${id}`],
    ['cut short', (id: string) => sql`UPDATE sessions SET expires_at = now() WHERE user_id = ${id}`],
    ['deleted with its student', (id: string) => sql`DELETE FROM users WHERE id = ${id}`],
    ['deleted with all others', () => sql`TRUNCATE sessions CASCADE`],
  ])('ends when it is %s in the database, whoever does that', async (_how, end) => {
    const user = await createUser(test)
    const login = await logInEverywhere(user)
    await end(user.id).execute(db)
    await expectEnded(accessOf(login))
  })

  it('opens little from the moment that it is limited in the database, whoever does that', async () => {
    const user = await createUser(test)
    const login = await logInEverywhere(user)
    await sql`INSERT INTO suspensions (user_id, reason, hides_notes) VALUES (${user.id}, 'Sold exams.', false)`.execute(
      db,
    )
    await sql`UPDATE sessions SET is_limited = true WHERE user_id = ${user.id}`.execute(db)
    for (const { app } of servers) {
      const list = await app.inject({ url: '/api/notes', headers: accessOf(login) })
      expect(list.json()).toMatchObject({ code: 'account_suspended' })
    }
  })

  it('has the role that its student was given since', async () => {
    const user = await createUser(test)
    const guards = servers.map(({ deps }) => createRequireUser(deps))
    const ask = () =>
      Promise.all(
        guards.map(async (guard) => {
          const request = { headers: user.auth } as unknown as FastifyRequest
          await guard(request)
          return request.viewer?.role
        }),
      )
    expect(await ask()).toEqual(['student', 'student'])
    await db.updateTable('users').set({ role: 'moderator' }).where('id', '=', user.id).execute()
    expect(await ask()).toEqual(['moderator', 'moderator'])
  })

  it('ends by itself', async () => {
    const user = await createUser(test)
    await sql`UPDATE sessions SET expires_at = now() + interval '3 seconds' WHERE user_id = ${user.id}`.execute(db)
    const status = async () => (await getMe(test, user.auth)).statusCode
    await status()
    await expect.poll(status).toBe(401)
  })

  it('stays ended for requests that arrive while it ends', async () => {
    const user = await createUser(test)
    for (let round = 0; round < 10; round++) {
      const login = await logIn(test, user.email)
      const asked = Array.from({ length: 20 }, (_, n) => getMe(n % 2 ? test : other, accessOf(login)))
      expect((await post(test, '/api/users/logout', undefined, cookieOf(login))).statusCode).toBe(204)
      await expectEnded(accessOf(login))
      await Promise.all(asked)
      await expectEnded(accessOf(login))
    }
  })
})
