import { sql } from 'kysely'
import { foldCourseCode } from '../../../packages/contract/course-code.ts'
import type { Db } from '../../platform/db/pool.ts'
import { courseWords, foldVersion, titleWords, toTsvector } from '../search/text-analysis/fold.ts'

/** Folds a note's details by the current rules. A concurrent edit wins, because it folds the new details itself. */
export async function reindexNote(db: Db, id: string): Promise<void> {
  const note = await db
    .selectFrom('notes')
    .select(['title', 'course_code', 'instructor'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!note) return
  const { title, course_code, instructor } = note
  await sql`
    UPDATE notes SET title_words = ${titleWords(title)}::tsvector, course_key = ${foldCourseCode(course_code)},
                     course_words = ${courseWords(course_code)}::tsvector,
                     instructor_words = ${toTsvector(instructor ?? '')}::tsvector, fold_version = ${foldVersion}
     WHERE id = ${id} AND title = ${title} AND course_code = ${course_code}
       AND instructor IS NOT DISTINCT FROM ${instructor}`.execute(db)
}
