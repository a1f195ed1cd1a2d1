import { sql } from 'kysely'
import type { Db } from './pool.ts'

/** PostgreSQL settings by name, for the rest of a transaction. They must never contain user input. */
export type Settings = Record<string, string>

/**
 * Settings of the database role, because a transaction pooler does not keep those of a connection. The embedded
 * PostgreSQL starts with them; docs/operations.md describes how an operator sets them, and `doctor` compares them.
 */
export const roleSettings: Settings = {
  statement_timeout: '15s',
  idle_in_transaction_session_timeout: '15s',
  // Queries read little; parallel workers, or a compiler for one query, would take the processors from other queries.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  // Indexes are in memory. With the default, PostgreSQL would rather read a whole table than look up 200 rows.
  random_page_cost: '1.1',
}

const toSetLocal = (settings: Settings) =>
  Object.entries(settings)
    .map(([name, value]) => `SET LOCAL ${name} = '${value}'`)
    .join('; ')

/**
 * Settings for searches by words. PostgreSQL does not know the cost of reading the words of a long text and would scan
 * the table where it expects many matches; a bitmap scan of the word index does not read them.
 */
export const bitmapScanSettings: Settings = { enable_seqscan: 'off' }

/** Needs one round trip for any number of settings, because statements without parameters can be sent together. */
export const beginReadOnly = (db: Db, settings: Settings) =>
  sql.raw(`START TRANSACTION READ ONLY; ${toSetLocal(settings)}`).execute(db)

export const applySettings = (db: Db, settings: Settings) => sql.raw(toSetLocal(settings)).execute(db)
