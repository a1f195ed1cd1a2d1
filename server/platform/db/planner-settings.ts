import { sql } from 'kysely'
import type { Db } from './pool.ts'
import { type Settings, toSetLocal } from './set-local.ts'

/**
 * Settings for searches by words. PostgreSQL does not know the cost of reading the words of a long text and would scan
 * the table where it expects many matches; a bitmap scan of the word index does not read them.
 */
export const bitmapScanSettings: Settings = { enable_seqscan: 'off' }

/** Needs one round trip for any number of settings, because statements without parameters can be sent together. */
export const beginReadOnly = (db: Db, settings: Settings) =>
  sql.raw(`START TRANSACTION READ ONLY; ${toSetLocal(settings)}`).execute(db)

export const applySettings = (db: Db, settings: Settings) => sql.raw(toSetLocal(settings)).execute(db)
