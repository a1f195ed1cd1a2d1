import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { describeWait, type ErrorCode, errorMessage, errors } from '../../packages/contract/errors.ts'
import type { TestApp } from './app.ts'

/** Expects the common error format with the code's status and its message, unless another message is given. */
export function expectRefusal(response: LightMyRequestResponse, code: ErrorCode, message?: string): void {
  const body = response.json()
  const retryAfter = response.headers['retry-after']
  const when: Record<string, string> = retryAfter === undefined ? {} : { when: describeWait(Number(retryAfter)) }
  expect(body).toMatchObject({ code, message: message ?? errorMessage(code, when) })
  expect(response.statusCode).toBe(errors[code].status)
  expect(Object.keys(body).filter((key) => !['message', 'code', 'fields'].includes(key))).toEqual([])
}

/** Expects that a request is answered with this status. @returns the response. */
export async function expectStatus(status: number, sent: PromiseLike<LightMyRequestResponse>) {
  const response = await sent
  expect(response.statusCode, response.body).toBe(status)
  return response
}

/**
 * Waits for simultaneous requests, and expects that this many succeed and that all others are refused with the code.
 * @returns the positions of those that succeeded, and the responses of the others.
 */
export async function expectSuccesses(
  count: number,
  sent: PromiseLike<LightMyRequestResponse>[],
  code: ErrorCode,
  message?: string,
) {
  const responses = await Promise.all(sent)
  const accepted = responses.flatMap(({ statusCode }, position) => (statusCode < 300 ? [position] : []))
  expect(accepted).toHaveLength(count)
  const refused = responses.filter((_, position) => !accepted.includes(position))
  for (const response of refused) expectRefusal(response, code, message)
  return { accepted, refused }
}

/** Returns everything of a response that a client can see, except its date. */
export function toComparable({ statusCode, headers, body }: LightMyRequestResponse) {
  const { date: _date, ...rest } = headers
  return { statusCode, headers: rest, body }
}

/**
 * Counts the rows of users and sessions, for "nothing was left behind". Mail tokens are created later, by their jobs.
 */
export async function countRows({ deps }: Pick<TestApp, 'deps'>) {
  const { rows } = await sql<Record<'users' | 'registrations' | 'sessions' | 'refreshTokens' | 'accountMails', number>>`
    SELECT (SELECT count(*) FROM users) AS users,
           (SELECT count(*) FROM registrations) AS registrations,
           (SELECT count(*) FROM sessions) AS sessions,
           (SELECT count(*) FROM refresh_tokens) AS "refreshTokens",
           (SELECT count(*) FROM pgboss.job WHERE name = 'account-mail') AS "accountMails"`.execute(deps.db)
  return rows[0]
}

/** Expects that `act` does not change the number of users and sessions. @returns its result. */
export async function expectNoRows<T>(test: Pick<TestApp, 'deps'>, act: () => PromiseLike<T>): Promise<T> {
  const before = await countRows(test)
  const result = await act()
  expect(await countRows(test)).toEqual(before)
  return result
}

/** Returns every row of every table as text, the job queue included, for "this is stored nowhere in clear". */
export async function dumpDatabase({ deps }: Pick<TestApp, 'deps'>): Promise<string> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
     WHERE table_schema IN ('public', 'pgboss') AND table_type = 'BASE TABLE'`.execute(deps.db)
  const texts = await Promise.all(
    tables.map(async ({ schema, name }) => {
      const all = sql<{ text: string }>`SELECT t::text AS text FROM ${sql.table(`${schema}.${name}`)} t`
      const { rows } = await all.execute(deps.db)
      return rows.map(({ text }) => text).join('\n')
    }),
  )
  return texts.join('\n')
}
