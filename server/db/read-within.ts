import { sql } from 'kysely'
import { fail } from '../failure.ts'
import type { Db, Tx } from './pool.ts'

const canceled = '57014'

/**
 * For reads that may have to look at much: PostgreSQL ends a statement that takes longer, so that a few of them do not
 * keep everybody else from a connection. Set for the transaction alone, since poolers between us and PostgreSQL give
 * one connection to many.
 * @throws busy
 */
export async function readWithin<T>(db: Db, limitMs: number, read: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        await sql`SELECT set_config('statement_timeout', ${String(limitMs)}, true)`.execute(tx)
        return read(tx)
      })
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === canceled)
      fail('busy', { retryAfterSeconds: 5, cause })
    throw cause
  }
}
