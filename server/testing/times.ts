import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db/pool.ts'

/** Returns the hours from now until a time. */
export const hoursUntil = (time: Date | string): number => (new Date(time).getTime() - Date.now()) / 3_600_000

/**
 * Repeats `act` when a new day or week begins meanwhile, so that its result belongs to one period at whatever time the
 * tests run.
 * @param period the start of the current period, by the database's clock.
 */
export async function retryAcrossPeriods<T>(db: Db, period: RawBuilder<Date>, act: () => Promise<T>): Promise<T> {
  const read = async () => {
    const { rows } = await sql<{ began: Date }>`SELECT ${period} AS began`.execute(db)
    return rows[0]?.began.getTime()
  }
  for (;;) {
    const before = await read()
    const result = await act()
    if ((await read()) === before) return result
  }
}
