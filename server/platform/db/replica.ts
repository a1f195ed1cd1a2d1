import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, type LogEvent } from 'kysely'
import { ApiError } from '../http/api-error.ts'
import { describeError, type Log, throttleErrors } from '../observability/log.ts'
import type { Metrics } from '../observability/telemetry.ts'
import { isDatabaseUnavailable } from './database-unavailable.ts'
import { type Db, openPool } from './pool.ts'
import {
  createQueryWithTimeout,
  type QueryRunner,
  queryTimeoutMs,
  type RunReadOnly,
  runReadOnly,
  statementTimeout,
} from './query-with-timeout.ts'
import { withTimeout } from './waiting.ts'

/**
 * The last position that a primary has written. `history` identifies cluster, timeline and database. Positions of
 * different histories cannot be compared, and neither can those of a timeline that a failover ended.
 */
export type PrimaryPosition = { history: string; lsn: string }

/**
 * Includes every acknowledged commit. With `synchronous_commit` off, commits are acknowledged before they are flushed,
 * so the insert position is used.
 */
export const primaryPositionSql = `
  SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()), left(pg_walfile_name(lsn), 8),
                   current_database()) AS history, lsn::text AS lsn
    FROM (SELECT CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
                 ELSE pg_current_wal_flush_lsn() END AS lsn) w`

/** The last two are null when nothing is replayed. */
export type ReplicaPosition = { isOurs: boolean; isCaughtUp: boolean | null; bytesBehind: number | null }

/**
 * Compares a replica with a `PrimaryPosition`, given its history and lsn. After a failover a replica knows the new
 * timeline immediately if its role may read statistics (`pg_read_all_stats`), otherwise after its next checkpoint.
 */
export const replicaPositionSql = `
  SELECT pg_is_in_recovery() AND $1 = concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
           (SELECT lpad(upper(to_hex(greatest(timeline_id, received_tli))), 8, '0')
              FROM pg_control_checkpoint() LEFT JOIN pg_stat_wal_receiver ON true), current_database()) AS "isOurs",
         pg_last_wal_replay_lsn() >= $2::pg_lsn AS "isCaughtUp",
         greatest(0, pg_wal_lsn_diff($2::pg_lsn, pg_last_wal_replay_lsn()))::float8 AS "bytesBehind"`

/** Pauses between the checks whether the replica has caught up; after the last one the primary is used. */
const pausesMs = [2, 5, 10, 20, 0]
/**
 * How long a read may take to begin, and how far it may exceed its own limit, before the replica counts as
 * unresponsive.
 */
const beginLimitMs = 1_000
/** How long a failed replica is not used. */
const cooldownMs = 1_000

export type Replica = ReturnType<typeof openReplica>
/** `db` is the primary. */
type Options = { url: string; size: number; isPrepared: boolean; db: Db; log: Log; metrics: Metrics; observe: Observe }
type Observe = (event: LogEvent) => void

type Place = Pick<QueryRunner, 'read' | 'queryWithTimeout'>

/**
 * Sends a read to the replica if it has replayed everything that the primary had written when the read was requested,
 * and to the primary otherwise. While the primary is unavailable, the replica answers with the data that it has.
 */
export function openReplica({ url, size, isPrepared, db, log, metrics, observe }: Options) {
  const { pool, db: replica } = openPool(url, size, log, { waitMs: beginLimitMs, isPrepared, observe })
  const report = throttleErrors((error) => log.warn(`Reading lists from the primary: ${describeError(error)}`))
  const reportAway = throttleErrors((error) => log.warn(`Reading only from the replica: ${describeError(error)}`))
  /** The history of the primary when it last answered. */
  let history: string | null = null
  let isUsable = false
  let asideUntil = 0
  for (const from of ['primary', 'replica']) metrics.listReads.inc({ from }, 0)

  async function askPrimary(): Promise<PrimaryPosition> {
    const written = await withTimeout(beginLimitMs, ask<PrimaryPosition>(db, primaryPositionSql, []))
    history = written.history
    return written
  }

  function onReplica(getWritten: () => Promise<PrimaryPosition>): Place {
    async function catchUp(connection: Db): Promise<void> {
      const written = await getWritten()
      for (const pauseMs of pausesMs) {
        const { isOurs, isCaughtUp } = await compare(connection, written)
        if (!isOurs)
          throw new Error('DATABASE_REPLICA_URL isn’t a replica of this database, or hasn’t caught up with a failover')
        if (isCaughtUp) return
        await delay(pauseMs)
      }
      throw new Error('the replica is behind')
    }
    const transact: RunReadOnly = async (on, settings, read) => {
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const answer = runReadOnly(on, settings, async (connection) => {
        await catchUp(connection)
        begin()
        return read(connection)
      })
      await withTimeout(beginLimitMs, Promise.race([begun, answer]))
      return withTimeout(queryTimeoutMs + beginLimitMs, answer)
    }
    return {
      read: (read) => transact(replica, statementTimeout(queryTimeoutMs), read),
      queryWithTimeout: createQueryWithTimeout(replica, size, transact),
    }
  }
  const caughtUp = onReplica(askPrimary)
  /** While the primary is unavailable: every replica of its history has caught up with the position 0/0. */
  const perhapsBehind = onReplica(async () => ({ history: history ?? '', lsn: '0/0' }))

  function markUnusable(error: unknown): void {
    isUsable = false
    asideUntil = performance.now() + cooldownMs
    if (!pool.ending) report(error instanceof Error ? error : new Error(String(error)))
  }

  /** Runs beside a read that the primary answers, so that no user waits for an unavailable replica. */
  async function probe(): Promise<void> {
    if (performance.now() < asideUntil) return
    asideUntil = performance.now() + cooldownMs
    await caughtUp.read(async () => {}).then(() => (isUsable = true), markUnusable)
  }
  void probe()

  async function read<T>(primary: QueryRunner, from: (place: Place) => Promise<T>): Promise<T> {
    if (isUsable) {
      try {
        const answer = await from(caughtUp)
        metrics.listReads.inc({ from: 'replica' })
        return answer
      } catch (error) {
        if (isRefusal(error)) throw error
        markUnusable(error)
      }
    } else void probe()
    metrics.listReads.inc({ from: 'primary' })
    return readAnyway(primary, from)
  }

  async function readAnyway<T>(primary: QueryRunner, from: (place: Place) => Promise<T>): Promise<T> {
    try {
      return await from(primary)
    } catch (away) {
      if (!(away instanceof Error && isDatabaseUnavailable(away))) throw away
      reportAway(away)
      return from(perhapsBehind).catch((error) => Promise.reject(isRefusal(error) ? error : away))
    }
  }

  return {
    preferReplica: (primary: QueryRunner): QueryRunner => ({
      read: (...given) => read(primary, (place) => place.read(...given)),
      queryWithTimeout: (...given) => read(primary, (place) => place.queryWithTimeout(...given)),
      readAnyway: (given) => readAnyway(primary, (place) => place.read(given)),
    }),
    /** Null when it is not a replica of the primary. */
    async countBytesBehind(): Promise<number | null> {
      const { isOurs, bytesBehind } = await compare(replica, await askPrimary())
      return isOurs ? bytesBehind : null
    },
    /** @throws when the replica alone could not answer reads. */
    check: () => perhapsBehind.read(async () => {}),
    countConnections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => replica.destroy(),
  }
}

const isRefusal = (error: unknown) => error instanceof ApiError && error.code !== 'unavailable'

const compare = (connection: Db, { history, lsn }: PrimaryPosition) =>
  ask<ReplicaPosition>(connection, replicaPositionSql, [history, lsn])

async function ask<T>(connection: Db, text: string, values: string[]): Promise<T> {
  const { rows } = await connection.executeQuery(CompiledQuery.raw(text, values))
  return rows[0] as T
}
