import { sql } from 'kysely'
import { fail } from '../http/api-error.ts'
import { hasCode } from '../observability/log.ts'
import { getCurrentContext } from '../observability/telemetry.ts'
import { queryCanceled } from './database-unavailable.ts'
import { createFairQueue } from './fair-queue.ts'
import type { Db } from './pool.ts'
import { applySettings, beginReadOnly, type Settings } from './set-local.ts'
import type { Viewer } from './viewer.ts'

/** Time limit of a read that may have to scan many rows. */
export const queryTimeoutMs = 3_000

/** Maximum queue length per concurrent read. Most reads are so fast that such a queue empties in a moment. */
const maxWaitingForEach = 16
/** More than a page requests, including the searches that a fast typist cancels. */
const maxWaitingPerAccount = 16
const retryAfterSeconds = 5
/** Share of the limit. Below it the statement timeout is not updated, because nearly the whole limit is left. */
const littleSpent = 0.1

/** The elapsed time of a read, counted from when it left the queue. */
export type QueryDeadline = {
  elapsedMs: () => number
  /**
   * Sets the timeout of the following statements to the rest of the limit, unless little of it was used.
   * @throws busy when none is left.
   */
  applyRemainingTime: () => Promise<void>
}

/**
 * For reads that may have to scan many rows: PostgreSQL cancels a statement that exceeds the limit. A caller that runs
 * several statements calls `applyRemainingTime` before each that may be slow.
 * @throws busy on a timeout, and when too many reads wait, of this user or of all.
 */
export type QueryWithTimeout = <T>(
  viewer: Viewer,
  timeoutMs: number,
  read: (db: Db, time: QueryDeadline) => Promise<T>,
  settings?: Settings,
) => Promise<T>

/** Converts the error of a statement that PostgreSQL cancelled on a timeout to `busy`. */
function throwBusyOnTimeout(cause: unknown): never {
  if (hasCode(cause, queryCanceled)) fail('busy', { retryAfterSeconds, cause })
  throw cause
}

/** Runs the reads of lists and searches; see `open-dependencies.ts`. */
export type QueryRunner = {
  /** For reads whose plan is always fast. */
  read: <T>(read: (db: Db) => Promise<T>) => Promise<T>
  queryWithTimeout: QueryWithTimeout
  /**
   * For sessions, single notes and their files: reads from the primary, or from the replica while the primary is
   * unavailable.
   */
  readAnyway: <T>(read: (db: Db) => Promise<T>) => Promise<T>
}

export const createQueryRunner = (db: Db, queryWithTimeout: QueryWithTimeout): QueryRunner => ({
  read: (read) => read(db).catch(throwBusyOnTimeout),
  queryWithTimeout,
  readAnyway: (read) => read(db),
})

/** Runs reads in a transaction that is always rolled back. */
export type RunReadOnly = <T>(db: Db, settings: Settings, read: (connection: Db) => Promise<T>) => Promise<T>

/**
 * A third of the pool is for such reads, so that the rest stays free for other queries. Each user runs one read at a
 * time, so no user takes all of that third or fills its queue. The limit is set for the transaction only, because
 * poolers share one connection among many clients.
 *
 * The best plan of such a read depends on its values, so PostgreSQL plans each for them unless the settings differ.
 */
export function createQueryWithTimeout(
  db: Db,
  poolSize: number,
  transact: RunReadOnly = runReadOnly,
): QueryWithTimeout {
  const concurrency = Math.max(1, Math.floor(poolSize / 3))
  const maxWaiting = concurrency * maxWaitingForEach
  const queue = createFairQueue({ concurrency, maxWaiting, maxWaitingPerAccount })

  return async ({ id }, timeoutMs, read, settings) => {
    try {
      const allSettings = { ...statementTimeout(timeoutMs), plan_cache_mode: 'force_custom_plan', ...settings }
      const readInTransaction = () =>
        transact(db, allSettings, (connection) => {
          const start = performance.now()
          const elapsedMs = () => performance.now() - start
          return read(connection, {
            elapsedMs,
            async applyRemainingTime() {
              const restMs = Math.ceil(timeoutMs - elapsedMs())
              if (restMs <= 0) fail('busy', { retryAfterSeconds })
              if (elapsedMs() > littleSpent * timeoutMs) await applySettings(connection, statementTimeout(restMs))
            },
          })
        })
      // A user who keeps typing cancels one search after the other and waits only for the last one.
      return await queue.run(id, readInTransaction, { signal: getCurrentContext()?.signal })
    } catch (error) {
      return throwBusyOnTimeout(error)
    }
  }
}

/** Like a Kysely transaction, but begins together with its settings in one round trip, and never commits. */
export function runReadOnly<T>(db: Db, settings: Settings, read: (connection: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const end = () => sql`ROLLBACK`.execute(connection)
    try {
      await beginReadOnly(connection, settings)
      const result = await read(connection)
      await end()
      return result
    } catch (error) {
      // When the connection is lost, PostgreSQL ends its transaction as well.
      await end().catch(() => {})
      throw error
    }
  })
}

export const statementTimeout = (ms: number): Settings => ({ statement_timeout: String(ms) })
