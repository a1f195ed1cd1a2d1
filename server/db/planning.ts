import { sql } from 'kysely'
import type { Tx } from './pool.ts'

/** Settings of PostgreSQL by their names, for what is left of a transaction. */
export type Settings = Record<string, string>

/**
 * For searches by words. PostgreSQL does not know what it costs to read the words of a long text, and would read those of
 * note after note, by the table or by the primary key, where it expects many to match; a bitmap of the index of words
 * answers without. Nor does it know that indexes are in memory, and would walk all notes rather than look up two hundred.
 * No search is worth a compiler.
 */
export const byBitmaps: Settings = {
  enable_seqscan: 'off',
  enable_indexscan: 'off',
  random_page_cost: '1.1',
  jit: 'off',
}

/** After `byBitmaps`, for statements that begin at a few rows: others are looked up from these, in their order. */
export const byLookups: Settings = { enable_indexscan: 'on' }

/** In a statement whose plan depends on what is sought: it is not prepared. */
export const plannedForItsValues = sql.raw('/* planned for its values */')
export const isPlannedForItsValues = (text: string) => text.includes('/* planned for its values */')

export async function applySettings(tx: Tx, settings: Settings): Promise<void> {
  const each = Object.entries(settings).map(([name, value]) => sql`set_config(${name}, ${value}, true)`)
  await sql`SELECT ${sql.join(each)}`.execute(tx)
}
