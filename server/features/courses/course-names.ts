import type { ListedCourse } from '../../../packages/contract/courses.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import * as queries from './course-names.queries.ts'

export type Imported = { added: number; changed: number; removed: number }

/**
 * Imports the institution's course list: adds new courses and updates changed ones.
 * @param replace removes courses that are not in the list.
 */
export async function importCourseNames(
  tx: Tx,
  courses: ListedCourse[],
  { replace = false }: { replace?: boolean } = {},
): Promise<Imported> {
  const saved = await queries.saveNames(tx, courses)
  return { ...saved, removed: replace ? await queries.deleteOtherNames(tx, courses) : 0 }
}

export const reindexCourseNames: (db: Db) => Promise<void> = queries.reindexCourseNames
