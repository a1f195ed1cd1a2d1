import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db, Tx } from '../platform/db/pool.ts'
import { inTransaction } from '../platform/db/transaction.ts'
import type { TestApp } from './app.ts'

/**
 * Runs `ask` until a lock from `hold` blocks it, then `happens`, and then releases the lock.
 * @returns the result of `ask`.
 */
export async function whileLocked<T>(
  { deps: { db } }: Pick<TestApp, 'deps'>,
  {
    hold,
    ask,
    happens = async () => {},
  }: { hold: (tx: Tx) => Promise<unknown>; ask: () => Promise<T>; happens?: (tx: Tx) => Promise<unknown> },
): Promise<T> {
  const { asked } = await inTransaction(db, async (tx) => {
    await hold(tx)
    // It is not awaited here, because it finishes only after this transaction.
    const asked = ask()
    await waitForBlockedQueries(db, 1)
    await happens(tx)
    return { asked }
  })
  return asked
}

/** Waits until `count` queries are blocked by locks. */
export async function waitForBlockedQueries(db: Db, count: number): Promise<void> {
  const waiting = sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await waiting.execute(db)).rows[0]?.count).toBe(count)
}
