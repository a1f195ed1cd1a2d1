import { sql } from 'kysely'
import { hasCode } from '../error-code.ts'
import { fail } from '../failure.ts'
import { createLine } from '../line.ts'
import { applySettings, beginReading, type Settings } from './planning.ts'
import type { Db } from './pool.ts'

const canceled = '57014'
/** In line for each that runs. The quick ones, which most are, pass a line of this length in a moment. */
const waitingForEach = 16
const retryAfterSeconds = 5
/** Of the limit. Who has spent less has hardly less than all of it, and need not say so to PostgreSQL. */
const littleSpent = 0.1

/** The time of a read, from when its turn came. */
export type ReadTime = {
  spentMs: () => number
  /** Statements from here on have what is left of the limit, if some of it is spent. @throws busy when nothing is left. */
  limitToRest: () => Promise<void>
}

/**
 * For reads that may have to look at much: PostgreSQL ends a statement that takes longer than the limit. Who runs several
 * asks for the rest before each that may be slow.
 * @throws busy then, and when too many wait.
 */
export type ReadWithin = <T>(
  limitMs: number,
  read: (db: Db, time: ReadTime) => Promise<T>,
  settings?: Settings,
) => Promise<T>

/**
 * A third of the pool is for such reads: however many are asked for, the rest of it is everybody else's. The limit is
 * set for the transaction alone, since poolers between us and PostgreSQL give one connection to many.
 */
export function createReadWithin(db: Db, poolSize: number): ReadWithin {
  const atOnce = Math.max(1, Math.floor(poolSize / 3))
  const inLine = createLine(atOnce, atOnce * waitingForEach)

  return async (limitMs, read, settings) => {
    try {
      return await inLine(() =>
        inTransaction(db, { ...limitedTo(limitMs), ...settings }, (connection) => {
          const start = performance.now()
          const spentMs = () => performance.now() - start
          return read(connection, {
            spentMs,
            async limitToRest() {
              const restMs = Math.ceil(limitMs - spentMs())
              if (restMs <= 0) fail('busy', { retryAfterSeconds })
              if (spentMs() > littleSpent * limitMs) await applySettings(connection, limitedTo(restMs))
            },
          })
        }),
      )
    } catch (cause) {
      if (hasCode(cause, canceled)) fail('busy', { retryAfterSeconds, cause })
      throw cause
    }
  }
}

/** As Kysely's, but begun together with its settings, in one turn to PostgreSQL; nothing is written that could be kept. */
function inTransaction<T>(db: Db, settings: Settings, read: (connection: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const end = () => sql`ROLLBACK`.execute(connection)
    try {
      await beginReading(connection, settings)
      const result = await read(connection)
      await end()
      return result
    } catch (error) {
      // Where the connection is lost, so is its transaction.
      await end().catch(() => {})
      throw error
    }
  })
}

const limitedTo = (ms: number): Settings => ({ statement_timeout: String(ms) })
