import { sql } from 'kysely'
import { foldCourseCode } from '../../../packages/contract/course-code.ts'
import type { ListedCourse } from '../../../packages/contract/courses.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { courseWords, foldVersion, toTsvector } from '../search/text-analysis/fold.ts'

type Imported = { added: number; changed: number; removed: number }

/**
 * Imports the institution's course list: adds new courses and updates changed ones.
 * @param replace removes courses that are not in the list.
 */
export async function importCourseNames(
  tx: Tx,
  courses: ListedCourse[],
  { replace = false }: { replace?: boolean } = {},
): Promise<Imported> {
  const saved = await saveNames(tx, courses)
  return { ...saved, removed: replace ? await deleteOtherNames(tx, courses) : 0 }
}

const insertedAtOnce = 1_000

/** Inserts courses or changes existing ones. @returns the numbers of added and of changed courses. */
async function saveNames(tx: Tx, courses: ListedCourse[]): Promise<{ added: number; changed: number }> {
  const saved = { added: 0, changed: 0 }
  for (let from = 0; from < courses.length; from += insertedAtOnce) {
    const part = courses.slice(from, from + insertedAtOnce)
    const { rows } = await sql<{ isNew: boolean }>`
      INSERT INTO course_names AS old (course_key, code, name, words, fold_version)
      SELECT key, code, name, words::tsvector, ${foldVersion}
        FROM unnest(${part.map(({ code }) => foldCourseCode(code))}::text[], ${part.map(({ code }) => code)}::text[],
                    ${part.map(({ name }) => name)}::text[], ${part.map(wordsOf)}::text[]) AS given (key, code, name, words)
      ON CONFLICT (course_key) DO UPDATE
         SET code = excluded.code, name = excluded.name, words = excluded.words, fold_version = excluded.fold_version
       WHERE (old.code, old.name) <> (excluded.code, excluded.name)
      RETURNING xmax = 0 AS "isNew"`.execute(tx)
    const added = rows.filter(({ isNew }) => isNew).length
    saved.added += added
    saved.changed += rows.length - added
  }
  return saved
}

/** Deletes all other courses. @returns their number. */
async function deleteOtherNames(tx: Tx, courses: ListedCourse[]): Promise<number> {
  const keys = courses.map(({ code }) => foldCourseCode(code))
  const { numAffectedRows } = await sql`DELETE FROM course_names WHERE course_key <> ALL(${keys}::text[])`.execute(tx)
  return Number(numAffectedRows)
}

/** Folds names that were folded by older rules. */
export async function reindexCourseNames(db: Db): Promise<void> {
  const courses = await db
    .selectFrom('course_names')
    .select(['code', 'name'])
    .where('fold_version', '<', foldVersion)
    .execute()
  for (const { code, name } of courses) {
    await sql`
      UPDATE course_names SET words = ${wordsOf({ code, name })}::tsvector, fold_version = ${foldVersion}
       WHERE course_key = ${foldCourseCode(code)} AND (code, name) = (${code}, ${name})`.execute(db)
  }
}

/** One value for both, so that `csc intro` finds the course. */
const wordsOf = ({ code, name }: ListedCourse) => `${courseWords(code)} ${toTsvector(name)}`
