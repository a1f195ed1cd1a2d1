import pg from 'pg'
import { vi } from 'vitest'
import { getCurrentContext } from '../platform/observability/telemetry.ts'

/** Sends a request. @returns its response and the SQL that the server sent for it, in order. */
export async function recordRequestSql<T>(send: () => PromiseLike<T>): Promise<{ response: T; texts: string[] }> {
  const texts: string[] = []
  const { query } = pg.Client.prototype
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  asked.mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [first] = given as [string | { text: string }]
    const text = typeof first === 'string' ? first : first.text
    // Skips the statements of jobs, which run after the response, and the query that only a new connection sends.
    // A statement that is not prepared, as behind a pooler, contains its request id.
    if (getCurrentContext()?.kind === 'request' && !text.includes('pg_backend_pid'))
      texts.push(text.replace(/\/\*request_id=.*\*\//, ''))
    return Reflect.apply(query, this, given)
  } as never)
  const response = await send()
  asked.mockRestore()
  return { response, texts }
}
