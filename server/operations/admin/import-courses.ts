import { readFile } from 'node:fs/promises'
import { CsvError, parse } from 'csv-parse/sync'
import { foldCourseCode } from '../../../packages/contract/course-code.ts'
import { type ListedCourse, listedCourse } from '../../../packages/contract/courses.ts'
import { importCourseNames } from '../../features/courses/course-names.ts'
import type { Db } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { countOf, type Output } from './command-line.ts'

const mostProblems = 20

/** Imports the institution's list of courses. @returns false if the list is invalid and nothing was changed. */
export async function importCourses(
  db: Db,
  file: string,
  options: { replace: boolean },
  out: Output,
): Promise<boolean> {
  const { courses, problems } = readCourseList(await readFile(file))
  if (problems.length === 0) {
    const { added, changed, removed } = await inTransaction(db, (tx) => importCourseNames(tx, courses, options))
    out.write(`  ${countOf(courses.length, 'course')} read: ${added} added, ${changed} changed, ${removed} removed.\n`)
    return true
  }
  out.write(`  Nothing was changed: fix ${file} first:\n`)
  for (const problem of problems.slice(0, mostProblems)) out.write(`  ${problem}\n`)
  if (problems.length > mostProblems) out.write(`  … and ${problems.length - mostProblems} more.\n`)
  return false
}

type Row = { record: string[]; info: { lines: number } }
type CourseList = {
  courses: ListedCourse[]
  /** All errors, each with its line number. A list with errors is not imported. */
  problems: string[]
}

/**
 * Reads the institution's list of courses: CSV in UTF-8 with a code and a name in each line, and an optional first line
 * `code,name`.
 */
export function readCourseList(bytes: Uint8Array): CourseList {
  const rows = parseRows(bytes)
  if (typeof rows === 'string') return { courses: [], problems: [rows] }
  const problems: string[] = []
  const lineOf = new Map<string, number>()
  const courses = rows.flatMap(({ record, info: { lines: line } }, at) => {
    const [code = '', name = ''] = record
    if (at === 0 && code.toLowerCase() === 'code' && name.toLowerCase() === 'name') return []
    if (record.length !== 2) {
      problems.push(`Line ${line}: expected 2 fields (code, name), found ${record.length}.`)
      return []
    }
    const { data, error } = listedCourse.safeParse({ code, name })
    if (error) {
      problems.push(...error.issues.map(({ path, message }) => `Line ${line}, ${path.join('.')}: ${message}`))
      return []
    }
    const key = foldCourseCode(data.code)
    const before = lineOf.get(key)
    if (before !== undefined) problems.push(`Line ${line}: ${data.code} is already on line ${before}.`)
    lineOf.set(key, before ?? line)
    return [data]
  })
  if (problems.length === 0 && courses.length === 0) problems.push('The file has no courses.')
  return { courses, problems }
}

/** @returns the problem of a file that is not CSV. */
function parseRows(bytes: Uint8Array): Row[] | string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // Spreadsheets of many countries use semicolons. A code contains neither character, so the first one found decides.
    const delimiter = /[,;]/.exec(text)?.[0] ?? ','
    const options = { delimiter, info: true, trim: true, skip_empty_lines: true, relax_column_count: true }
    return parse(text, options) as unknown as Row[]
  } catch (error) {
    return error instanceof CsvError ? error.message : 'The file isn’t UTF-8. Export it as “CSV UTF-8”.'
  }
}
