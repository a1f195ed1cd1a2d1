import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../platform/db/pool.ts'

/**
 * Does again what is counted by days or weeks where the next one has begun meanwhile, so that what it returns is of one
 * of them at whatever time the tests run.
 * @param period when it began, by the database's clock.
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
