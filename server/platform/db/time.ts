import { sql } from 'kysely'

/** Deadlines use the database's clock at the time of the statement, because the clocks of servers may differ. */
export const inSeconds = (seconds: number) => sql<Date>`now() + ${seconds} * interval '1 second'`
