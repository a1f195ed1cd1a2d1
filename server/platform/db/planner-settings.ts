import { sql } from 'kysely'
import type { Db } from './pool.ts'
import { type Settings, toSetLocal } from './set-local.ts'

/**
 * For searches by words. PostgreSQL does not know what it costs to read the words of a long text, and would read those of
 * note after note in the table where it expects many to match; a bitmap of the index of words answers without.
 */
export const bitmapScanSettings: Settings = { enable_seqscan: 'off' }

/** One turn to PostgreSQL, however many there are: without parameters several statements may go together. */
export const beginReadOnly = (db: Db, settings: Settings) =>
  sql.raw(`START TRANSACTION READ ONLY; ${toSetLocal(settings)}`).execute(db)

export const applySettings = (db: Db, settings: Settings) => sql.raw(toSetLocal(settings)).execute(db)
