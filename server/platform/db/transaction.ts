import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { hasCode } from '../observability/log.ts'
import type { Db, Tx } from './pool.ts'
import type { DB } from './schema.ts'

const maxRepeats = 3
const maxPauseMs = 50
const deadlockDetected = '40P01'
const serializationFailure = '40001'
export const lockNotAvailable = '55P03'

/**
 * Runs work in a transaction; transactions begin only here. The work may run up to four times, so it must not change
 * anything outside the transaction.
 *
 * Rows are locked in one order: users by id, documents by id, notes by id, then the rows counted from them
 * (`suggestions` by kind and text). A transaction that has locked a note never locks a user or a document afterwards.
 */
export const inTransaction = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  repeatAfterDeadlock(() => (db as unknown as Kysely<DB>).transaction().execute((tx) => work(tx as unknown as Tx)))

/**
 * Repeats a transaction, or a single statement that locks several rows, when PostgreSQL rolled it back because of
 * another one.
 */
export async function repeatAfterDeadlock<T>(run: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await run()
    } catch (error) {
      const isRepeatable = hasCode(error, deadlockDetected) || hasCode(error, serializationFailure)
      if (!isRepeatable || repeats === maxRepeats) throw error
      await pause(randomInt(maxPauseMs * 2 ** repeats))
    }
  }
}
