import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Tx } from '../db/pool.ts'
import type { TestApp } from './app.ts'

/**
 * What is asked waits for what is held; then something happens, and what was held is let go.
 * @returns what came of what was asked.
 */
export async function meanwhile<T>(
  { deps: { db } }: Pick<TestApp, 'deps'>,
  {
    hold,
    ask,
    happens,
  }: { hold: (tx: Tx) => Promise<unknown>; ask: () => Promise<T>; happens: (tx: Tx) => Promise<unknown> },
): Promise<T> {
  const countWaiting = async () =>
    (
      await sql<{ count: number }>`
        SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(db)
    ).rows[0]?.count
  const { asked } = await db.transaction().execute(async (tx) => {
    await hold(tx)
    // Not awaited here: it ends when this transaction has.
    const asked = ask()
    await expect.poll(countWaiting).toBe(1)
    await happens(tx)
    return { asked }
  })
  return asked
}
