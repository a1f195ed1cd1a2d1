import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Db } from '../platform/db/pool.ts'
import type { DB } from '../platform/db/schema.ts'

export type Statement = { text: string; values: unknown[] }

/** Runs functions of the server once and returns the SQL that they send. */
export async function recordSql(pool: pg.Pool, run: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push({ text: query.sql, values: [...query.parameters] }),
  })
  await run(db)
  return statements
}
