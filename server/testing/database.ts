import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import { connect } from '../platform/db/client.ts'
import type { Db } from '../platform/db/pool.ts'
import { inTransaction } from '../platform/db/transaction.ts'

export const templateName = 'lectern_template'

/** Drops and creates a database. @returns its URL. */
export async function createDatabase(postgresUrl: string, name: string, template?: string): Promise<string> {
  await using client = await connect({ connectionString: postgresUrl })
  await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
  // FILE_COPY is faster than WAL_LOG when fsync is off.
  await client.query(`CREATE DATABASE "${name}" ${template ? `TEMPLATE "${template}" STRATEGY FILE_COPY` : ''}`)
  const url = new URL(postgresUrl)
  url.pathname = `/${name}`
  return url.href
}

export async function dropDatabase(postgresUrl: string, name: string): Promise<void> {
  await using client = await connect({ connectionString: postgresUrl })
  await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
}

/** Runs one query over a connection of its own. @returns the rows. */
export async function queryAt<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []) {
  await using client = await connect({ connectionString: url })
  return (await client.query<Row>(text, values)).rows
}

/** Executes a statement for thousands of rows, which may take longer than the server's limit on a busy machine. */
export const executeUnlimited = (db: Db, statement: RawBuilder<unknown>): Promise<unknown> =>
  inTransaction(db, async (tx) => {
    await sql`SET LOCAL statement_timeout = 0`.execute(tx)
    await statement.execute(tx)
  })

/**
 * Returns the database variables of test servers: with `npm run test:full -- postgres15` the database is behind its
 * pooler.
 */
export function databaseEnv(databaseUrl: string): Record<string, string> {
  const { TEST_POOLER_PORT } = process.env
  if (!TEST_POOLER_PORT) return {}
  const url = new URL(databaseUrl)
  url.port = TEST_POOLER_PORT
  // PgBouncer of Debian 12 does not support prepared statements.
  return { DATABASE_URL: url.href, DATABASE_DIRECT_URL: databaseUrl, DATABASE_PREPARED: 'off' }
}

/**
 * Returns the storage variables of test servers: with `npm run test:full -- s3` a new bucket for each, otherwise the
 * disk. The S3 client is imported on demand, because it loads slowly.
 */
export async function filesEnv(): Promise<Record<string, string>> {
  if (!process.env.TEST_S3_ENDPOINT) return {}
  const { makeBucket } = await import('./s3.ts')
  return makeBucket()
}
