import { sql } from 'kysely'
import type { Db } from '../../../platform/db/pool.ts'
import { nilId } from '../../../platform/db/viewer.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import type { Log } from '../../../platform/observability/log.ts'
import { reindexCourseNames } from '../../courses/course-names.ts'
import { reindexNote } from '../../notes/properties.ts'
import { reindexPages } from '../../uploads/documents/text.ts'
import { foldVersion } from '../text-analysis/fold.ts'

type RefoldDeps = { db: Db; log: Log }

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
export async function reindexAll({ db, log }: RefoldDeps, signal: AbortSignal): Promise<number> {
  await reindexCourseNames(db)
  const notes = await refoldEach(findOldNotes, reindexNote)
  return notes + (await refoldEach(findOldDocuments, reindexPages))

  async function refoldEach(
    findOld: (db: Db, after: string) => Promise<string[]>,
    refoldOne: (db: Db, id: string, signal: AbortSignal) => Promise<void>,
  ): Promise<number> {
    let count = 0
    let after = nilId
    while (!signal.aborted) {
      const ids = await findOld(db, after)
      for (const id of ids) {
        if (signal.aborted) break
        try {
          await refoldOne(db, id, signal)
          count++
        } catch (error) {
          log.error({ err: error, id }, 'Couldn’t reindex a note or document')
        }
      }
      after = ids.at(-1) ?? ''
      if (after === '') break
    }
    return count
  }
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

export const searchReindexJobs = [
  defineSchedule('reindex-search-columns', '*/5 * * * *', async (deps: RefoldDeps, signal) => {
    const count = await reindexAll(deps, signal)
    if (count > 0) deps.log.info({ count }, 'Reindexed notes and documents')
  }),
]
