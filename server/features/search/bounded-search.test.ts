import { beforeAll, expect, it } from 'vitest'
import type { Note } from '../../../packages/contract/notes.ts'
import type { NoteQuery } from '../../../packages/contract/search.ts'
import { asViewer, createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { countNotes, findNotes, type Scope } from './search.queries.ts'

const test = await openTestApp()
const { db } = test.deps
const noteCount = 120
const titles = ['Graphs', 'Graphs and trees', 'Rings', 'Rings and fields', 'Trees']
const courses = ['MAT137', 'MAT200', 'CS101']
const years = ['2025–26', '2024–25', '2017–18']
const instructors = ['Erik Olsen', 'Pedro Almeida', undefined]

let owners: [TestUser, TestUser]
let everything: Note[]
let liked: Set<string>

/** State of a pseudo-random generator that produces the same sequence in every run. */
let seed = 7
const random = (below: number) => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed % below
}
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T

beforeAll(async () => {
  owners = await Promise.all([createUser(test), createUser(test)])
  for (let n = 0; n < noteCount; n++) {
    // Few distinct dates and counts, so that many notes tie in the order and the id decides.
    await createNote(test, pick(owners), {
      title: pick(titles),
      courseCode: pick(courses),
      // The old year is rare and never among the newest notes.
      academicYear: n < 9 ? '2017–18' : pick(years.slice(0, 2)),
      instructor: pick(instructors),
      likes: random(4),
      createdAt: new Date(Date.UTC(n < 9 ? 2017 : 2025, 0, 1 + random(9))).toISOString(),
    })
  }
  const [viewer] = owners
  everything = await findNotes(test.deps, 'all', asViewer(viewer), { sortBy: 'createdAt' }, noteCount)
  liked = new Set(everything.filter(() => random(3) === 0).map(({ _id }) => _id))
  const ratings = [...liked].map((note_id) => ({ user_id: viewer.id, note_id, liked: true }))
  await db.insertInto('ratings').values(ratings).execute()
}, 120_000)

const hasWords = (text = '', words: string) =>
  words.split(' ').every((word) => ` ${text.toLowerCase()}`.includes(` ${word}`))

/** Computes the expected ids of a search without PostgreSQL. */
function expected(scope: Scope, viewerId: string, query: NoteQuery): string[] {
  const key = (note: Note) => (query.sortBy === 'likes' ? note.likes : Date.parse(note.createdAt))
  const isBefore = (a: Note, b: Note) => key(b) - key(a) || (a._id < b._id ? 1 : -1)
  return everything
    .filter((note) => scope !== 'mine' || note.user?._id === viewerId)
    .filter((note) => scope !== 'liked' || liked.has(note._id))
    .filter((note) => !query.title || hasWords(note.title, query.title))
    .filter((note) => !query.instructor || hasWords(note.instructor, query.instructor))
    .filter((note) => !query.courseCode || note.courseCode.startsWith(query.courseCode))
    .filter((note) => !query.academicYear || note.academicYear === query.academicYear)
    .sort(isBefore)
    .map(({ _id }) => _id)
}

const filters: Partial<NoteQuery>[] = [
  {},
  { title: 'graphs' },
  { title: 'r' },
  { title: 'graphs fields' },
  { title: 'trees', instructor: 'erik' },
  { instructor: 'zyzzx' },
  { instructor: 'erik pedro' },
  { courseCode: 'MAT' },
  { courseCode: 'CS', title: 'rings' },
  { academicYear: '2017–18' },
  { academicYear: '2017–18', title: 'graphs' },
  { academicYear: '2024–25', instructor: 'pedro' },
]

it.each(['all', 'mine', 'liked'] as const)(
  'a search of %s finds the same, page by page, however few notes it walks first',
  { timeout: 120_000 },
  async (scope) => {
    const [viewer] = owners
    for (const sortBy of ['createdAt', 'likes'] as const) {
      for (const filter of filters) {
        const all = expected(scope, viewer.id, { sortBy, ...filter })
        // The scan limits range from the whole list to almost none of it.
        for (const walked of [1_000, 20, 3]) {
          const found: string[] = []
          for (let cursor: Partial<NoteQuery> = {}; ; ) {
            const query = { sortBy, ...filter, ...cursor }
            const limits = { createdAt: [Math.ceil(walked / 10), walked], likes: [walked] }
            const page = await findNotes(test.deps, scope, asViewer(viewer), query, 4, limits)
            found.push(...page.map(({ _id }) => _id))
            const last = page.at(-1)
            if (!last || page.length < 4) break
            cursor = { cursorId: last._id, cursorValue: String(last[sortBy]) }
          }
          expect(found, JSON.stringify({ sortBy, filter, walked })).toEqual(all)
        }
      }
    }
  },
)

it.each(['all', 'mine', 'liked'] as const)('%s are counted the same, however few are walked first', async (scope) => {
  const [viewer] = owners
  for (const filter of filters) {
    const all = expected(scope, viewer.id, { sortBy: 'createdAt', ...filter }).length
    for (const limit of [5, 1_000]) {
      for (const walked of [1_000, 20, 3]) {
        const counted = await countNotes(db, asViewer(viewer), { scope, ...filter }, limit, walked)
        expect(counted, JSON.stringify({ filter, limit, walked })).toBe(Math.min(all, limit))
      }
    }
  }
})
