import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { getCurrentContext } from '../../platform/observability/telemetry.ts'
import { createUser, openTestApp } from '../../testing/app.ts'
import { post, register } from '../../testing/students.ts'

const test = await openTestApp()
const raw = 'Not the desk 42!'

/** Returns the SQL statements that a request sends, in order. */
async function statementsOf(url: string, payload: object): Promise<string[]> {
  const texts: string[] = []
  const { query } = pg.Client.prototype
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  asked.mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { text: string }]
    const text = typeof first === 'string' ? first : first.text
    // Skips the statements of jobs, which run after the response, and the query that only a new connection sends.
    if (getCurrentContext()?.kind === 'request' && !text.includes('pg_backend_pid')) {
      texts.push(text.replace(/\/\*request_id=.*\*\//, ''))
    }
    return Reflect.apply(query, this, given)
  } as never)
  await post(test, url, payload)
  asked.mockRestore()
  return texts
}

it.each([
  ['logging in', '/api/users/login', (email: string) => ({ email, password: raw })],
  ['registering', '/api/users/', (email: string) => ({ name: 'Ada', email, password: raw, confirmPassword: raw })],
  ['asking for a reset', '/api/users/forgot-password', (email: string) => ({ email })],
] as const)(
  '%s asks the database the same, whether or not the email has an account (C1, C2, C3)',
  async (what, url, bodyOf) => {
    const { email } = await createUser(test)
    const unverified = `unverified.${what.length}@uni.example`
    await register(test, unverified)
    const ofNobody = await statementsOf(url, bodyOf(`nobody.${what.length}@uni.example`))
    expect(ofNobody.length).toBeGreaterThan(0)
    expect(await statementsOf(url, bodyOf(email))).toEqual(ofNobody)
    expect(await statementsOf(url, bodyOf(unverified))).toEqual(ofNobody)
  },
)
