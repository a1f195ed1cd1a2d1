import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Db } from '../platform/db/pool.ts'
import type { DB } from '../platform/db/schema.ts'

export type Statement = { text: string; values: unknown[] }

/** Runs functions of the server once and returns the SQL that they send. */
export async function recordSql({ databaseUrl }: { databaseUrl: string }, run: (db: Db) => Promise<unknown>) {
  const statements: Statement[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: databaseUrl, max: 2 }) }),
    log: ({ query }) => void statements.push({ text: query.sql, values: [...query.parameters] }),
  })
  await run(db).finally(() => db.destroy())
  return statements
}
