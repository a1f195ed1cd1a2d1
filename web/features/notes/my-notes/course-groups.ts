import { foldCourseCode } from '../../../../packages/contract/course-code.ts'
import { getCachedNote } from '../cache/note-cache.ts'

export type CourseGroup = { key: string; courseCode: string; noteIds: string[] }

/** Groups notes by folded course code, in the order in which the courses first appear. */
export function groupByCourse(noteIds: string[]): CourseGroup[] {
  const groups = new Map<string, CourseGroup>()
  for (const noteId of noteIds) {
    const { courseCode = '' } = getCachedNote(noteId) ?? {}
    const key = foldCourseCode(courseCode)
    const group = groups.get(key)
    if (group) group.noteIds.push(noteId)
    else groups.set(key, { key, courseCode, noteIds: [noteId] })
  }
  return [...groups.values()]
}
