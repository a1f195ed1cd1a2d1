import type { ListedCourse } from '../../contract/courses.ts'
import type { Db } from '../db/pool.ts'
import * as queries from './course-names.queries.ts'

export type Imported = { added: number; changed: number; removed: number }

/**
 * Takes over the society's list of courses: adds what is new and changes what is called otherwise now.
 * @param replace what is not among them goes.
 */
export function importCourseNames(
  db: Db,
  courses: ListedCourse[],
  { replace }: { replace: boolean },
): Promise<Imported> {
  return db.transaction().execute(async (tx) => {
    const saved = await queries.saveNames(tx, courses)
    return { ...saved, removed: replace ? await queries.deleteOtherNames(tx, courses) : 0 }
  })
}

export const refoldCourseNames: (db: Db) => Promise<void> = queries.refoldNames
