import type { Note } from '../../../../packages/contract/notes.ts'

/** The form values for several notes. An empty value means that the notes differ, and each stays unchanged. */
export type CommonDetails = {
  courseCode: string
  academicYear: string
  instructor: string
  isAnonymous: '' | 'true' | 'false'
}

/** Returns the values that all notes share; empty where they differ. */
export function commonDetails(notes: Note[]): CommonDetails {
  const common = (read: (note: Note) => string) => {
    const [first = '', ...others] = new Set(notes.map(read))
    return others.length === 0 ? first : ''
  }
  return {
    courseCode: common((note) => note.courseCode),
    academicYear: common((note) => note.academicYear),
    instructor: common((note) => note.instructor ?? ''),
    isAnonymous: common((note) => String(note.isAnonymous)) as CommonDetails['isAnonymous'],
  }
}

/** Whether the notes differ in a field, so that its empty value means "unchanged". */
export const differs = (notes: Note[], name: 'courseCode' | 'instructor'): boolean =>
  new Set(notes.map((note) => note[name] ?? '')).size > 1
