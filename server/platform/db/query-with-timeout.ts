import { sql } from 'kysely'
import { fail } from '../http/api-error.ts'
import { hasCode } from '../observability/log.ts'
import { getCurrentContext } from '../observability/tracing.ts'
import { createFairQueue } from './fair-queue.ts'
import { applySettings, beginReadOnly } from './planner-settings.ts'
import type { Db } from './pool.ts'
import type { Settings } from './set-local.ts'
import type { Viewer } from './viewer.ts'

/** What a read may take that has to look at much. */
export const queryTimeoutMs = 3_000

const canceled = '57014'
/** For each read that runs. Most reads are so quick that a queue of this length takes a moment. */
const maxWaitingForEach = 16
/** More than a page requests together with the searches that a quick typist cancels. */
const maxWaitingPerAccount = 16
const retryAfterSeconds = 5
/** Of the limit. Who has spent less has hardly less than all of it, and need not say so to PostgreSQL. */
const littleSpent = 0.1

/** The time of a read, from when its turn came. */
export type QueryDeadline = {
  spentMs: () => number
  /** Statements from here on have what is left of the limit, if some of it is spent. @throws busy when nothing is left. */
  limitToRest: () => Promise<void>
}

/**
 * For reads that may have to look at much: PostgreSQL ends a statement that takes longer than the limit. Who runs several
 * asks for the rest before each that may be slow.
 * @throws busy then, and when too many wait, of this student or of all.
 */
export type QueryWithTimeout = <T>(
  viewer: Viewer,
  limitMs: number,
  read: (db: Db, time: QueryDeadline) => Promise<T>,
  settings?: Settings,
) => Promise<T>

/** What PostgreSQL has ended for its time. */
function throwBusyOnTimeout(cause: unknown): never {
  if (hasCode(cause, canceled)) fail('busy', { retryAfterSeconds, cause })
  throw cause
}

/** Where lists and searches are read; see `open-deps.ts`. */
export type QueryRunner = {
  /** For what is quick by its plan. */
  read: <T>(read: (db: Db) => Promise<T>) => Promise<T>
  readWithin: QueryWithTimeout
  /** For sessions, single notes and their files: from the primary, or from the replica while the primary is unavailable. */
  readAnyway: <T>(read: (db: Db) => Promise<T>) => Promise<T>
}

export const createQueryRunner = (db: Db, readWithin: QueryWithTimeout): QueryRunner => ({
  read: (read) => read(db).catch(throwBusyOnTimeout),
  readWithin,
  readAnyway: (read) => read(db),
})

/** In a transaction of its own, which keeps nothing. */
export type RunReadOnly = <T>(db: Db, settings: Settings, read: (connection: Db) => Promise<T>) => Promise<T>

/**
 * A third of the pool is for such reads: however many are asked for, the rest of it is everybody else's. Students take
 * turns, one read of each at a time, so that no one of them has all of that third or fills its line. The limit is set
 * for the transaction alone, since poolers between us and PostgreSQL give one connection to many.
 *
 * The best plan of such a read depends on its values, so PostgreSQL plans each for them unless the settings say otherwise.
 */
export function createQueryWithTimeout(
  db: Db,
  poolSize: number,
  transact: RunReadOnly = runReadOnly,
): QueryWithTimeout {
  const atOnce = Math.max(1, Math.floor(poolSize / 3))
  const queue = createFairQueue({
    concurrency: atOnce,
    maxWaiting: atOnce * maxWaitingForEach,
    maxWaitingPerAccount,
  })

  return async ({ id }, limitMs, read, settings) => {
    try {
      const readInTransaction = () =>
        transact(
          db,
          { ...statementTimeout(limitMs), plan_cache_mode: 'force_custom_plan', ...settings },
          (connection) => {
            const start = performance.now()
            const spentMs = () => performance.now() - start
            return read(connection, {
              spentMs,
              async limitToRest() {
                const restMs = Math.ceil(limitMs - spentMs())
                if (restMs <= 0) fail('busy', { retryAfterSeconds })
                if (spentMs() > littleSpent * limitMs) await applySettings(connection, statementTimeout(restMs))
              },
            })
          },
        )
      // A user who goes on typing cancels one search after the other, and waits for the last one.
      return await queue.run(id, readInTransaction, { signal: getCurrentContext()?.signal })
    } catch (error) {
      return throwBusyOnTimeout(error)
    }
  }
}

/** As Kysely's, but begun together with its settings, in one turn to PostgreSQL; nothing is written that could be kept. */
export function runReadOnly<T>(db: Db, settings: Settings, read: (connection: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const end = () => sql`ROLLBACK`.execute(connection)
    try {
      await beginReadOnly(connection, settings)
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

export const statementTimeout = (ms: number): Settings => ({ statement_timeout: String(ms) })
