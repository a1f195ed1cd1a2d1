import { sql } from 'kysely'
import type { Db } from '../../platform/db/pool.ts'
import { nilId } from '../../platform/db/viewer.ts'
import type { Log } from '../../platform/observability/log.ts'
import { reindexCourseNames } from '../courses/course-names.ts'
import { reindexNote } from '../notes/properties.ts'
import { reindexPages } from '../uploads/documents/text.ts'
import { foldVersion } from './text-analysis/fold.ts'

/**
 * Ids read per query. Each note or document is written in its own transaction, because its search rows are locked
 * meanwhile.
 */
const batchSize = 100

/**
 * Folds again the notes, documents and course names that were folded by an older version or not at all. Failures are
 * left for the next run.
 * @returns how many notes and documents were folded.
 */
export async function reindexAll({ db, log }: { db: Db; log: Log }, signal: AbortSignal): Promise<number> {
  await reindexCourseNames(db)
  let count = 0
  for (const [findOld, refold] of [
    [findOldNotes, reindexNote],
    [findOldDocuments, reindexPages],
  ] as const) {
    for (let ids = await findOld(db, nilId); ids.length > 0; ids = await findOld(db, ids.at(-1) ?? '')) {
      for (const id of ids) {
        if (signal.aborted) return count
        try {
          await refold(db, id, signal)
          count++
        } catch (error) {
          log.error({ err: error, id }, 'Couldn’t reindex a note or document')
        }
      }
    }
  }
  if (count > 0) log.info({ count }, 'Reindexed notes and documents')
  return count
}

async function findOldNotes(db: Db, after: string): Promise<string[]> {
  const notes = db.selectFrom('notes').select('id').where('fold_version', '<', foldVersion).where('id', '>', after)
  return (await notes.orderBy('id').limit(sql.lit(batchSize)).execute()).map(({ id }) => id)
}

async function findOldDocuments(db: Db, after: string): Promise<string[]> {
  const documents = db
    .selectFrom('document_pages')
    .select('document_id')
    .distinct()
    .where('fold_version', '<', foldVersion)
    .where('document_id', '>', after)
  return (await documents.orderBy('document_id').limit(sql.lit(batchSize)).execute()).map(
    ({ document_id }) => document_id,
  )
}
