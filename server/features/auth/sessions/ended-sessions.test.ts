import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openTestApp, openTestAppOn } from '../../../testing/app.ts'
import { createUser, type TestUser } from '../../../testing/factories.ts'
import { expectRefusal } from '../../../testing/refusal.ts'
import { accessOf, getMe, logIn } from '../../../testing/students.ts'

const test = await openTestApp()
const other = await openTestAppOn(test)
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

describe('a session on several servers', () => {
  it.each([
    ['deleted', (id: string) => sql`DELETE FROM sessions WHERE user_id = ${id}`],
    ['cut short', (id: string) => sql`UPDATE sessions SET expires_at = now() WHERE user_id = ${id}`],
    ['deleted with its student', (id: string) => sql`DELETE FROM users WHERE id = ${id}`],
    ['deleted with all others', () => sql`TRUNCATE sessions CASCADE`],
  ])('ends when it is %s in the database by any program', async (_how, end) => {
    const user = await createUser(test)
    const login = await logInEverywhere(user)
    await end(user.id).execute(db)
    await expectEnded(accessOf(login))
  })
})
