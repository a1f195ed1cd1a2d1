import { Kysely, type LogEvent, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { describeError, type Log } from '../log.ts'
import { greet } from './new-connection.ts'
import { isPlannedForAll, isPlannedForItsValues } from './planned-for-its-values.ts'
import { namingStatements } from './prepared-statements.ts'
import type { DB } from './schema.ts'

/** What a query function takes: the pool, or the transaction its caller is in. */
export type Db = Kysely<DB>
export type Tx = Transaction<DB>

/** `unprepared` is on the same connections, for statements whose plan depends on their values, but for those that say it does not. */
export type Pool = { pool: pg.Pool; db: Db; unprepared: Db }

/**
 * Connections to PostgreSQL. A lost connection is logged and replaced; queries fail until the server is back.
 * @param size connections at most.
 * @param waitMs for one of them, and for its first answers, before a query fails.
 * @param observe is told of every statement when it is over.
 */
export function openPool(
  databaseUrl: string,
  size: number,
  log: Log,
  waitMs = 5_000,
  observe: (event: LogEvent) => void = () => {},
): Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'lectern',
    onConnect: (client) => greet(client, waitMs),
  })
  // Without listeners, PostgreSQL going away would end the process: the pool's hears of idle connections only, and one
  // that is lost inside a transaction tells its client. The query that follows fails, and is answered as such.
  // A connection may still be saying goodbye when PostgreSQL is stopped right after the pool.
  pool.on('error', (error) => pool.ending || log.warn(`A database connection was lost: ${describeError(error)}`))
  pool.on('connect', (client) => client.on('error', () => {}))
  const open = (isPrepared: (text: string) => boolean) =>
    new Kysely<DB>({ dialect: new PostgresDialect({ pool: namingStatements(pool, log, isPrepared) }), log: observe })
  return { pool, db: open((text) => !isPlannedForItsValues(text)), unprepared: open(isPlannedForAll) }
}

/** Counts come as bigint; all of ours fit a number. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
