import { readFile } from 'node:fs/promises'
import type { WriteStream } from 'node:tty'
import { importCourseNames } from '../../server/courses/course-names.ts'
import type { Db } from '../../server/db/pool.ts'
import { inTransaction } from '../../server/db/transaction.ts'
import { CourseListError, readCourseList } from './read-course-list.ts'

const mostProblems = 20

/** Takes over the society's list of courses. @returns false, having changed nothing, where something is wrong with it. */
export async function importCourses(
  db: Db,
  file: string,
  options: { replace: boolean },
  out: Pick<WriteStream, 'write'>,
): Promise<boolean> {
  try {
    const courses = readCourseList(await readFile(file))
    const { added, changed, removed } = await inTransaction(db, (tx) => importCourseNames(tx, courses, options))
    out.write(`  ${courses.length} courses read: ${added} added, ${changed} changed, ${removed} removed.\n`)
    return true
  } catch (error) {
    if (!(error instanceof CourseListError)) throw error
    const { problems } = error
    out.write(`  Nothing was changed: ${file} has to be put right first.\n`)
    for (const problem of problems.slice(0, mostProblems)) out.write(`  ${problem}\n`)
    if (problems.length > mostProblems) out.write(`  … and ${problems.length - mostProblems} more.\n`)
    return false
  }
}
