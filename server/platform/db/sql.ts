import { type RawBuilder, sql } from 'kysely'

/** Deadlines use the database's clock at the time of the statement, because the clocks of servers may differ. */
export const inSeconds = (seconds: number) => sql<Date>`now() + ${seconds} * interval '1 second'`

/** Joins conditions with AND for WHERE; no conditions match every row. */
export const and = (conditions: RawBuilder<unknown>[]) => sql.join([sql`true`, ...conditions], sql` AND `)
