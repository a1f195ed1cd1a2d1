import { sql } from 'kysely'
import type { Db } from './pool.ts'
import { type Settings, written } from './transaction-settings.ts'

/**
 * For searches by words. PostgreSQL does not know what it costs to read the words of a long text, and would read those of
 * note after note in the table where it expects many to match; a bitmap of the index of words answers without.
 */
export const byBitmaps: Settings = { enable_seqscan: 'off' }

/** The same where each statement has one plan, whatever its values: none is made to see whether it would be cheaper. */
export const byBitmapsForAll: Settings = { ...byBitmaps, plan_cache_mode: 'force_generic_plan' }

/**
 * For lists that are collected by indexes and then sorted. PostgreSQL does not know what a frequent key costs: taking its
 * 300,000 notes from the index takes as long as reading 10,000 notes, and would be done to leave out a few thousand.
 */
export const byIndexes: Settings = { ...byBitmaps, cpu_index_tuple_cost: '0.05' }

/** One turn to PostgreSQL, however many there are: without parameters several statements may go together. */
export const beginReading = (db: Db, settings: Settings) =>
  sql.raw(`START TRANSACTION READ ONLY; ${written(settings)}`).execute(db)

export const applySettings = (db: Db, settings: Settings) => sql.raw(written(settings)).execute(db)
