import type { Db } from '../../platform/db/pool.ts'
import { columnsOf, type Editable, isStill, selectProperties } from './properties.ts'

/** Folds a note's properties by the current rules. A concurrent edit wins, because it folds the new ones itself. */
export async function reindexNote(db: Db, id: string): Promise<void> {
  const note = await db
    .selectFrom('notes as n')
    .select(selectProperties)
    .where('id', '=', id)
    .$castTo<Editable>()
    .executeTakeFirst()
  if (note) await db.updateTable('notes').set(columnsOf(note)).where('id', '=', id).where(isStill(note)).execute()
}
