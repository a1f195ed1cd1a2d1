import { sql } from 'kysely'
import { hasCode } from '../error-code.ts'
import { fail } from '../failure.ts'
import { createLine } from '../line.ts'
import type { Db, Tx } from './pool.ts'

const canceled = '57014'
/** In line for each that runs. The quick ones, which most are, pass a line of this length in a moment. */
const waitingForEach = 16

/**
 * For reads that may have to look at much: PostgreSQL ends a statement that takes longer than the limit.
 * @throws busy then, and when too many wait.
 */
export type ReadWithin = <T>(limitMs: number, read: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * A third of the pool is for such reads: however many are asked for, the rest of it is everybody else's. The limit is
 * set for the transaction alone, since poolers between us and PostgreSQL give one connection to many.
 */
export function createReadWithin(db: Db, poolSize: number): ReadWithin {
  const atOnce = Math.max(1, Math.floor(poolSize / 3))
  const inLine = createLine(atOnce, atOnce * waitingForEach)

  return async (limitMs, read) => {
    try {
      return await inLine(() =>
        db
          .transaction()
          .setAccessMode('read only')
          .execute(async (tx) => {
            await sql`SELECT set_config('statement_timeout', ${String(limitMs)}, true)`.execute(tx)
            return read(tx)
          }),
      )
    } catch (cause) {
      if (hasCode(cause, canceled)) fail('busy', { retryAfterSeconds: 5, cause })
      throw cause
    }
  }
}
