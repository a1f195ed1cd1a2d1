import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'

/** What is kept. It is counted row by row, so not at every scrape. */
export async function countKept(db: Db) {
  const { rows } = await sql<{ files: number; bytes: number; databaseBytes: number }>`
    SELECT count(*) AS files, coalesce(sum(bytes), 0)::float8 AS bytes,
           pg_database_size(current_database()) AS "databaseBytes"
    FROM documents`.execute(db)
  return rows[0] ?? { files: 0, bytes: 0, databaseBytes: 0 }
}
