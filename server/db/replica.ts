import { setTimeout as delay } from 'node:timers/promises'
import { CompiledQuery, type LogEvent } from 'kysely'
import { Failure } from '../failure.ts'
import { describeError, type Log } from '../log.ts'
import type { Metrics } from '../observe/metrics.ts'
import { quietly } from '../quietly.ts'
import { type Db, openPool } from './pool.ts'
import { createReadWithin, inTransaction, limitedTo, type Reads, readLimitMs, type Transact } from './read-within.ts'
import { type Replayed, replayedByReplica, type Written, writtenByPrimary } from './replica-position.ts'
import type { Settings } from './transaction-settings.ts'

/** How often a replica is asked whether it has caught up, before the primary reads. */
const pausesMs = [2, 5, 10, 20, 40]
/** What the way to the first row may take: a connection, and all the pauses. */
const beginLimitMs = 1_000
/** Beyond what PostgreSQL itself ends, for one that says nothing any more. */
const graceMs = 1_000
/** A replica that failed is left alone for so long. */
const asideMs = 1_000

export type Replica = {
  /** Those of the primary, on the replica as long as it has all that the primary has. */
  prefer(primary: Reads): Reads
  /** How far it is behind. */
  countBytesBehind(): Promise<number | null>
  countConnections(): { open: number; idle: number; awaited: number }
  close(): Promise<void>
}

type Options = {
  url: string
  /** Connections at most. */
  size: number
  isPrepared: boolean
  /** Of the primary. */
  db: Db
  log: Log
  metrics: Metrics
  observe: (event: LogEvent) => void
}

/**
 * Reads that nobody can tell from the primary's: first the primary is asked how far it has written, after the read was asked
 * for, and the replica reads when it has replayed that. Where it is away, fails or stays behind, the primary reads, and the
 * replica is left alone until it has caught up again.
 */
export function openReplica({ url, size, isPrepared, db, log, metrics, observe }: Options): Replica {
  const { pool, db: named } = openPool(url, size, log, { waitMs: beginLimitMs, isPrepared, observe })
  const askPrimary = () => inTime(beginLimitMs, ask<Written>(db, writtenByPrimary, []))
  const report = quietly((error) => log.warn(`Lists are read from the primary: ${describeError(error)}`))
  let isUsable = false
  let asideUntil = 0
  let isTrying = false
  for (const from of ['primary', 'replica']) metrics.listReads.inc({ from }, 0)

  async function catchUp(connection: Db): Promise<void> {
    const written = await askPrimary()
    for (const pauseMs of [...pausesMs, 0]) {
      const { isOurs, isCaughtUp } = await comparedWith(connection, written)
      if (!isOurs)
        throw new Error('what DATABASE_REPLICA_URL leads to is no replica of this database, or not yet again')
      if (isCaughtUp) return
      await delay(pauseMs)
    }
    throw new Error('the replica is behind')
  }

  const transact: Transact = async (on, settings, read) => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const answer = inTransaction(on, settings, async (connection) => {
      await catchUp(connection)
      begin()
      return read(connection)
    })
    await inTime(beginLimitMs, Promise.race([begun, answer]))
    return inTime(readLimitMs + graceMs, answer)
  }

  function setAside(error: unknown): void {
    isUsable = false
    asideUntil = performance.now() + asideMs
    if (!pool.ending) report(error instanceof Error ? error : new Error(String(error)))
  }

  /** Beside a read that the primary answers, so that no student waits for a replica that is away. */
  async function tryAgain(): Promise<void> {
    if (isTrying || performance.now() < asideUntil) return
    isTrying = true
    try {
      await transact(named, limitedTo(readLimitMs), async () => {})
      isUsable = true
      log.debug('Lists are read from the replica')
    } catch (error) {
      setAside(error)
    } finally {
      isTrying = false
    }
  }

  async function prefer<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    if (isUsable) {
      try {
        const answer = await onReplica()
        metrics.listReads.inc({ from: 'replica' })
        return answer
      } catch (error) {
        if (error instanceof Failure && error.code !== 'unavailable') throw error
        setAside(error)
      }
    } else void tryAgain()
    metrics.listReads.inc({ from: 'primary' })
    return onPrimary()
  }

  const settings: Settings = limitedTo(readLimitMs)
  const readWithin = createReadWithin(named, size, transact)
  void tryAgain()

  return {
    prefer: (primary) => ({
      read: (read) =>
        prefer(
          () => transact(named, settings, read),
          () => primary.read(read),
        ),
      readWithin: (...given) =>
        prefer(
          () => readWithin(...given),
          () => primary.readWithin(...given),
        ),
    }),
    async countBytesBehind() {
      const { isOurs, bytesBehind } = await comparedWith(named, await askPrimary())
      return isOurs ? bytesBehind : null
    },
    countConnections: () => ({ open: pool.totalCount, idle: pool.idleCount, awaited: pool.waitingCount }),
    close: () => named.destroy(),
  }
}

const comparedWith = (connection: Db, { history, lsn }: Written) =>
  ask<Replayed>(connection, replayedByReplica, [history, lsn])

async function ask<T>(connection: Db, text: string, values: string[]): Promise<T> {
  const { rows } = await connection.executeQuery(CompiledQuery.raw(text, values))
  return rows[0] as T
}

/** @throws where the work takes longer, whatever comes of it then. */
async function inTime<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = delay(limitMs, undefined, { signal: done.signal, ref: false }).then(() => {
    throw new Error(`PostgreSQL does not answer within ${limitMs} ms`)
  })
  late.catch(() => {})
  return Promise.race([work, late]).finally(() => done.abort())
}
