import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Db } from '../server/db/pool.ts'
import type { DB } from '../server/db/schema.ts'

export type Statement = { text: string; values: unknown[] }

/**
 * Runs the server's own functions once and notes the SQL that they send, so that the bare routes run the very same,
 * whatever becomes of the functions.
 */
export async function recordSql(pool: pg.Pool, run: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push({ text: query.sql, values: [...query.parameters] }),
  })
  await run(db)
  return statements
}

/** A statement with other values: each of the old ones that the map has is replaced. */
export function withValues({ text, values }: Statement, replaced: Map<unknown, unknown>): Statement {
  return { text, values: values.map((value) => (replaced.has(value) ? replaced.get(value) : value)) }
}
