import { sql } from 'kysely'
import type { Tx } from './pool.ts'

/**
 * For what is left of a transaction. PostgreSQL does not know what it costs to read the words of a long text, and would
 * read those of note after note, by the table or by the primary key, where it expects many to match; a bitmap of the
 * index of words answers without. Nor does it know that indexes are in memory, and would walk all notes rather than look
 * up two hundred. No search is worth a compiler.
 */
export async function keepToIndexes(tx: Tx): Promise<void> {
  await sql`
    SELECT set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
           set_config('random_page_cost', '1.1', true), set_config('jit', 'off', true)`.execute(tx)
}
