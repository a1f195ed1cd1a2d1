import type { Note } from '../../../../packages/contract/notes.ts'

/** The form over several notes, as typed. Empty: where they differ, each stays as it is. */
export type CommonDetails = {
  courseCode: string
  academicYear: string
  instructor: string
  isAnonymous: '' | 'true' | 'false'
}

/** What all of them have in common; empty where they differ. */
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

/** In which of them they differ, so that "empty" says that each stays as it is. */
export const differs = (notes: Note[], name: 'courseCode' | 'instructor'): boolean =>
  new Set(notes.map((note) => note[name] ?? '')).size > 1
