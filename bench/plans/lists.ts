import { foldCourseCode } from '../../contract/course-code.ts'
import type { NoteQuery, SearchQuery } from '../../contract/search.ts'
import {
  getCourse,
  listCourseNotes,
  listCourses,
  listFollowedCourses,
  listNewNotes,
} from '../../server/courses/courses.ts'
import type { Db } from '../../server/db/pool.ts'
import type { Reads } from '../../server/db/read-within.ts'
import { getProfile } from '../../server/profile/profile.ts'
import { listContinued } from '../../server/reading/reading.ts'
import { searchInside } from '../../server/search/inside/search-inside.ts'
import type { Scope } from '../../server/search/search.queries.ts'
import { countNotes, listNotes, listRelatedNotes } from '../../server/search/search.ts'
import { suggest } from '../../server/search/suggestions.ts'
import { describeSharing } from '../../server/sharing/sharing.ts'
import type { Viewer } from '../../server/viewer.ts'
import type { Filled } from '../fill-database.ts'

export type List = { name: string; read: () => Promise<unknown> }

/** Filters of lists, from what all have to what nobody has. */
const filters = {
  'a word of many titles': { title: 'week' },
  'a word of few titles': { title: 'brain' },
  'two words': { title: 'eigen week' },
  'a word nobody has': { title: 'zzyzx' },
  'a beginning of one letter': { title: 's' },
  'a course': { courseCode: 'MAT137' },
  'the beginning of courses': { courseCode: 'mat' },
  'a year': { academicYear: '2025–26' },
  'a course and a year': { courseCode: 'MAT137', academicYear: '2025–26' },
  'an instructor': { instructor: 'okafor' },
  'an instructor nobody has': { instructor: 'zzyzx' },
  'all four': { title: 'week', courseCode: 'mat', academicYear: '2025–26', instructor: 'a' },
  'all four, of which one is nobody’s': {
    title: 'week',
    courseCode: 'mat',
    academicYear: '2025–26',
    instructor: 'zzyzx',
  },
} satisfies Record<string, Partial<NoteQuery>>
const courseKey = foldCourseCode('MAT137')
const orders = { 'by date': 'createdAt', 'by likes': 'likes' } as const

/** Every list and search that there is, each as its route reads it. */
export function listLists(db: Db, reads: Reads, { readerId, heavyId, noteId, writerId }: Filled): List[] {
  const as = (id: string): Viewer => ({ id, role: 'student' })
  const [reader, heavy] = [as(readerId), as(heavyId)]
  const searchAll = (query: NoteQuery) => listNotes(reads, 'all', reader, query)
  const { readWithin } = reads

  const inBothOrders = (name: string, read: (query: NoteQuery) => Promise<unknown>): List[] =>
    Object.entries(orders).map(([order, sortBy]) => ({ name: `${name}, ${order}`, read: () => read({ sortBy }) }))
  const ofScope = (name: string, scope: Scope, viewer: Viewer, given: Record<string, Partial<NoteQuery>>): List[] =>
    Object.entries({ everything: {}, ...given }).flatMap(([what, query]) =>
      inBothOrders(`${name}: ${what}`, (order) => listNotes(reads, scope, viewer, { ...order, ...query })),
    )
  const inside = (name: string, text: string, more: Partial<SearchQuery> = {}): List => ({
    name: `Inside the notes: ${name}`,
    read: () => searchInside(reads, reader, { text, sortBy: 'relevance', ...more }),
  })
  const some = {
    'a word of many titles': filters['a word of many titles'],
    'two words': filters['two words'],
    'a word nobody has': filters['a word nobody has'],
  }

  return [
    ...inBothOrders('All notes: the first page', (order) => searchAll(order)),
    {
      name: 'All notes: the second page, by date',
      read: async () => {
        const { notes } = await searchAll({ sortBy: 'createdAt' })
        const last = notes.at(-1)
        return searchAll({ sortBy: 'createdAt', cursorId: last?._id, cursorValue: last?.createdAt })
      },
    },
    ...Object.entries(filters).flatMap(([what, query]) =>
      inBothOrders(`All notes: ${what}`, (order) => searchAll({ ...order, ...query })),
    ),
    {
      name: 'All notes: what was found before, by date',
      read: () => searchAll({ sortBy: 'createdAt', ...filters['a word of many titles'] }),
    },
    ...Object.entries(some).map(([what, query]) => ({
      name: `How many: ${what}`,
      read: () => countNotes(readWithin, reader, { scope: 'all', ...query }),
    })),
    ...Object.entries(some).map(([what, query]) => ({
      name: `How many of one’s own, thousands: ${what}`,
      read: () => countNotes(readWithin, as(writerId), { scope: 'mine', ...query }),
    })),
    ...ofScope('Liked by a student with 5,000 likes', 'liked', heavy, some),
    ...ofScope('One’s own, thousands', 'mine', as(writerId), some),
    ...ofScope('Shared by one student, thousands', { sharedBy: writerId }, reader, some),
    {
      name: 'One’s own, thousands: course by course',
      read: () => listNotes(reads, 'mine', as(writerId), { sortBy: 'createdAt', groupBy: 'course' }),
    },
    inside('a word', 'eigenvalues'),
    inside('two words', 'week eigenvalues'),
    inside('a course', 'mat 137'),
    inside('a beginning', 'eig'),
    inside('a typing error', 'eigenvaleus'),
    inside('a phrase', '"week 3"'),
    inside('a word by date', 'week', { sortBy: 'createdAt' }),
    inside('a word by likes', 'week', { sortBy: 'likes' }),
    inside('a word in one course', 'week', { courseCode: 'MAT' }),
    inside('what nobody wrote', 'zyzzyvaxq'),
    ...['m', 'wee', 'mat 13', 'zz'].map((text) => ({
      name: `Suggestions for \`${text}\``,
      read: () => suggest(readWithin, reader, text),
    })),
    { name: 'Related notes', read: () => listRelatedNotes(readWithin, reader, noteId) },
    { name: 'Me, with 90 likes', read: () => getProfile(db, reader) },
    { name: 'Me, with 5,000 likes', read: () => getProfile(db, heavy) },
    { name: 'To be read on', read: () => listContinued(db, reader) },
    { name: 'What one’s notes are to others', read: () => describeSharing(db, as(writerId)) },
    { name: 'Courses', read: () => listCourses(readWithin, reader, {}) },
    { name: 'Courses that `mat` finds', read: () => listCourses(readWithin, reader, { text: 'mat' }) },
    { name: 'A course', read: () => getCourse(readWithin, reader, courseKey) },
    ...inBothOrders('The notes of a course', (order) => listCourseNotes(readWithin, reader, courseKey, order)),
    { name: 'Followed courses', read: () => listFollowedCourses(db, reader) },
    { name: 'What is new in them', read: () => listNewNotes(readWithin, reader) },
  ]
}
