import { sql } from 'kysely'

/** Deadlines are the database's: by its clock when the statement runs, whatever the servers' clocks say. */
export const inSeconds = (seconds: number) => sql<Date>`now() + ${seconds} * interval '1 second'`
