import { hash } from 'node:crypto'
import { Kysely, type LogEvent, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { describeError, type Log } from '../observability/log.ts'
import { getCurrentContext, type Telemetry } from '../observability/telemetry.ts'
import type { DB } from './schema.ts'

/**
 * The parameter of a query function: the pool, or the caller's transaction. Only `inTransaction` begins transactions.
 */
export type Db = Omit<Kysely<DB>, 'transaction' | 'startTransaction'>
/**
 * The transaction of `inTransaction`. It is not Kysely's type, because the compiler needs seconds to compare that with
 * `Db`.
 */
export type Tx = Db & { isTransaction: true }

export type Pool = { pool: pg.Pool; db: Db }

type Options = {
  /** How long a query waits for a connection before it fails. */
  waitMs?: number
  /** Whether statements are prepared under names; see DATABASE_PREPARED. */
  isPrepared?: boolean
  /** Called after every statement. */
  observe?: (event: LogEvent) => void
}

/**
 * Opens connections to PostgreSQL. A lost connection is logged and replaced; queries fail until the server is back.
 * @param size the maximum number of connections.
 */
export function openPool(
  databaseUrl: string,
  size: number,
  log: Log,
  { waitMs = 5_000, isPrepared = true, observe = () => {} }: Options = {},
): Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    connectionTimeoutMillis: waitMs,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'lectern',
  })
  // Without listeners, a lost connection would end the process. The pool reports idle connections only; a client
  // reports one that is lost inside a transaction, and its next query fails. A connection may still be closing when
  // PostgreSQL is stopped right after the pool.
  pool.on('error', (error) => pool.ending || log.warn(`Lost a database connection: ${describeError(error)}`))
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    pool,
    db: new Kysely<DB>({ dialect: new PostgresDialect({ pool: prepare(pool, isPrepared) }), log: observe }),
  }
}

/**
 * Maximum number of prepared statements. Each connection keeps them until it closes, and unusual searches produce an
 * unlimited number of texts.
 */
const maxNames = 400

/**
 * Kysely sends text and values. With a name PostgreSQL parses a text once per connection and plans it only a few times.
 */
function prepare(pool: pg.Pool, isPrepared: boolean): PostgresPool {
  const names = new Map<string, string>()
  /** The name is a hash of the text, so that a pooler never runs another statement under it. */
  function nameOf(text: string): string | undefined {
    if (!names.has(text) && names.size < maxNames) names.set(text, hash('sha256', text, 'base64url'))
    return names.get(text)
  }
  return {
    async connect() {
      const client = await pool.connect()
      const query = (text: string, values: unknown[]) =>
        // A statement without values controls the transaction and may consist of several statements in one text.
        client.query({ text, values, ...(isPrepared && values.length > 0 && { name: nameOf(text) }) } as pg.QueryConfig)
      return { query: query as unknown as PostgresPoolClient['query'], release: (destroy) => client.release(destroy) }
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

/** Counts are returned as bigint; all of them fit a number. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** Maximum length of a statement in the log; its beginning identifies it. */
const maxLength = 1_000

/**
 * Measures every statement and logs slow ones with their request or job. The SQL text contains no value that a user
 * typed.
 * @param slowMs 0 disables the log.
 */
export function observeStatements({ metrics }: Telemetry, log: Log, slowMs: number): (event: LogEvent) => void {
  return ({ level, query, queryDurationMillis: ms }) => {
    const work = getCurrentContext()
    metrics.statements.observe(ms / 1000)
    if (level === 'error') metrics.failedStatements.inc()
    work?.span.record({
      name: query.sql.trimStart().split(/\s/, 1)[0]?.toUpperCase() ?? '',
      ms,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': query.sql },
      hasFailed: level === 'error',
    })
    if (slowMs === 0 || ms < slowMs) return
    metrics.slowStatements.inc()
    const statement = query.sql.replace(/\s+/g, ' ').slice(0, maxLength)
    log.warn({ ms: Math.round(ms), statement, ...(work && { [idNames[work.kind]]: work.id }) }, 'Slow query')
  }
}

/** The field names that other log lines use. */
const idNames = { request: 'reqId', job: 'jobId' }
