import { expect, it } from 'vitest'
import type { Course, CoursePage } from '../../../packages/contract/courses.ts'
import { coursesPageSize, maxFollowedCourses } from '../../../packages/contract/courses.ts'
import type { NotePage } from '../../../packages/contract/search.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { createNote, createUser, openTestApp } from '../../testing/app.ts'
import { expectRefusal, expectSuccesses } from '../../testing/refusal.ts'
import { indexNotes } from '../search/index-notes.ts'
import { importCourseNames, reindexCourseNames } from './course-names.ts'

const test = await openTestApp()
const [ada, ben] = await Promise.all([createUser(test, { name: 'Ada' }), createUser(test, { name: 'Ben' })])
const ask = (url: string, user = ada, method: 'GET' | 'POST' | 'DELETE' = 'GET') =>
  test.app.inject({ method, url, headers: user.auth })
const getCourse = async (code: string, user = ada) => (await ask(`/api/courses/${code}`, user)).json()
const listCourses = async (query: Record<string, string> = {}): Promise<CoursePage> =>
  (await ask(`/api/courses?${new URLSearchParams(query)}`)).json()
const keysOf = ({ courses }: { courses: Course[] }) => courses.map(({ key }) => key)
const listNotes = async (code: string, query: Record<string, string> = {}): Promise<NotePage> =>
  (await ask(`/api/courses/${code}/notes?${new URLSearchParams(query)}`)).json()
const titlesOf = ({ notes }: { notes: NotePage['notes'] }) => notes.map(({ title }) => title)
const follow = (code: string, user = ada) => ask(`/api/courses/${code}/follow`, user, 'POST')
const unfollow = (code: string, user = ada) => ask(`/api/courses/${code}/follow`, user, 'DELETE')
const listFollowed = async (user = ada) => (await ask('/api/users/me/courses', user)).json()
const listNames = (names: Record<string, string>) => {
  const courses = Object.entries(names).map(([code, name]) => ({ code, name }))
  return inTransaction(test.deps.db, (tx) => importCourseNames(tx, courses))
}
const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T09:00:00.000Z`

it('GET /api/courses/{code} returns one course however its code is spelled: since when, years, instructors, favourites', async () => {
  const facts = [
    { courseCode: 'CSC 108', academicYear: '2024–25', instructor: 'José Núñez', likes: 1 },
    { courseCode: 'CSC108', academicYear: '2025–26', instructor: 'Jose Nunez', likes: 4 },
    { courseCode: 'CSC108', academicYear: '2025–26', instructor: 'Mary Wu', likes: 0 },
    { courseCode: 'CSC-108', academicYear: '2025–26', likes: 3 },
    { courseCode: 'CSC108', academicYear: '2025–26', likes: 2 },
  ]
  for (const [at, given] of facts.entries())
    await createNote(test, ben, { title: `Note ${at}`, createdAt: day(at + 1), ...given })
  await createNote(test, ben, { courseCode: 'CSC1080' })
  for (const code of ['CSC108', 'csc-108', 'csc%20108']) {
    const { favourites, ...course } = await getCourse(code)
    expect(course).toEqual({
      course: { key: 'CSC108', courseCode: 'CSC108', name: null, notes: 5, isFollowed: false },
      followers: 0,
      since: day(1),
      academicYears: ['2025–26', '2024–25'],
      // The spelling is that of the newest note.
      instructors: ['Mary Wu', 'Jose Nunez'],
    })
    expect(titlesOf({ notes: favourites })).toEqual(['Note 1', 'Note 3', 'Note 4'])
  }
})

it('GET /api/courses/{code} uses the imported name of a course, and knows an imported one before its first note', async () => {
  await createNote(test, ben, { courseCode: 'PHY-131' })
  await listNames({ 'PHY 131': 'Physics I', 'PHY 132': 'Physics II' })
  expect((await getCourse('phy131')).course).toMatchObject({ courseCode: 'PHY 131', name: 'Physics I', notes: 1 })
  const course = { key: 'PHY132', courseCode: 'PHY 132', name: 'Physics II', notes: 0, isFollowed: false }
  const none = { followers: 0, since: null, academicYears: [], instructors: [], favourites: [] }
  expect(await getCourse('phy132')).toEqual({ course, ...none })
})

it('GET /api/courses/{code} names no anonymous author', async () => {
  await createNote(test, ben, { courseCode: 'ANO1', isAnonymous: true, likes: 1 })
  const answers = [await ask('/api/courses/ANO1'), await ask('/api/courses/ANO1/notes')]
  for (const { body } of answers) expect(body).not.toMatch(new RegExp(`${ben.id}|Ben`))
  expect((await getCourse('ANO1', ben)).favourites[0].user).toEqual({ _id: ben.id, name: 'Ben' })
})

it('GET /api/courses/{code} refuses what is no course', async () => {
  expectRefusal(await ask('/api/courses/NONE1'), 'course_not_found')
  expectRefusal(await ask('/api/courses/--'), 'invalid_input', 'A course code needs at least one letter or digit.')
})

it('GET /api/courses/{code}/notes has them by date and by likes, of a year, of an instructor, and of both, page by page', async () => {
  const titles: string[] = []
  for (let at = 0; at < 30; at++) {
    const academicYear = at % 2 ? '2025–26' : '2024–25'
    const instructor = at % 3 ? 'Erik Olsen' : 'Olsen, Érik'
    // The likes have another order than the dates, and many are equal.
    titles.unshift(`N${at}`)
    const createdAt = `2026-02-01T09:${String(at).padStart(2, '0')}:00.000Z`
    const facts = { courseCode: 'PAG1', academicYear, instructor, createdAt }
    await createNote(test, ben, { ...facts, title: `N${at}`, likes: (at * 7) % 5 })
  }
  const every = async (query: Record<string, string>) => {
    const found: NotePage['notes'] = []
    for (let hasMore = true; hasMore; ) {
      const last = found.at(-1)
      const value = query.sortBy === 'likes' ? String(last?.likes) : last?.createdAt
      const page = await listNotes('pag-1', last ? { ...query, cursorId: last._id, cursorValue: value ?? '' } : query)
      found.push(...page.notes)
      hasMore = page.hasMore
    }
    return found
  }
  expect(titlesOf({ notes: await every({}) })).toEqual(titles)
  const byLikes = await every({ sortBy: 'likes' })
  expect(byLikes.map(({ likes }) => likes)).toEqual(byLikes.map(({ likes }) => likes).sort((a, b) => b - a))
  expect(new Set(titlesOf({ notes: byLikes }))).toEqual(new Set(titles))
  const numbers = (notes: NotePage['notes']) => notes.map(({ title }) => Number(title.slice(1)))
  const odd = await every({ academicYear: '2025-26' })
  expect(numbers(odd)).toEqual(numbers(odd).filter((at) => at % 2 === 1))
  expect(odd).toHaveLength(15)
  // The filter compares the whole name in its order, without accents.
  const olsen = await every({ instructor: 'olsen erik' })
  expect(numbers(olsen)).toEqual([27, 24, 21, 18, 15, 12, 9, 6, 3, 0])
  const both = await every({ instructor: 'ERIK OLSEN', academicYear: '2024–25', sortBy: 'likes' })
  expect(numbers(both).sort((a, b) => a - b)).toEqual([2, 4, 8, 10, 14, 16, 20, 22, 26, 28])
  expect(both.map(({ likes }) => likes)).toEqual(both.map(({ likes }) => likes).sort((a, b) => b - a))
  expect([await every({ instructor: 'Erik' }), await every({ instructor: '…' })]).toEqual([[], []])
})

it('GET /api/courses/{code}/notes is empty where there is no course, and refuses a cursor that does not fit', async () => {
  expect(await listNotes('NONE1')).toEqual({ notes: [], hasMore: false })
  const half = await ask(`/api/courses/PAG1/notes?cursorId=${crypto.randomUUID()}`)
  expectRefusal(half, 'invalid_input', 'cursorId and cursorValue go together.')
})

it('GET /api/courses has all that have notes, by their codes, page by page', async () => {
  const codes = Array.from({ length: coursesPageSize + 5 }, (_, at) => `ZZ${String(at).padStart(3, '0')}`)
  await Promise.all(codes.map((courseCode) => createNote(test, ben, { courseCode })))
  const found: string[] = []
  let after: string | null = 'ZZ'
  while (after !== null) {
    const page: CoursePage = await listCourses({ after })
    expect(page.courses.length).toBeLessThanOrEqual(coursesPageSize)
    found.push(...keysOf(page))
    after = page.next
  }
  expect(found.filter((key) => key.startsWith('ZZ'))).toHaveLength(coursesPageSize + 5)
  expect(found).toEqual([...new Set(found)].sort())
})

it.each(['text', 'after'])('GET /api/courses does not mind a NUL or a mark of direction in %s', async (name) => {
  expect((await ask(`/api/courses?${name}=a%00b%E2%80%8E`)).statusCode).toBe(200)
})

it('GET /api/courses filters by the beginning of a code or of words, and then knows what is listed without notes', async () => {
  await createNote(test, ben, { courseCode: 'HIS 201' })
  await listNames({ HIS201: 'Églises of Europe', HIS290: 'The Ottoman Empire' })
  for (const text of ['his 2', 'HIS-2', 'his2'])
    expect(keysOf(await listCourses({ text }))).toEqual(['HIS201', 'HIS290'])
  expect(keysOf(await listCourses({ text: 'eglise' }))).toEqual(['HIS201'])
  expect(keysOf(await listCourses({ text: 'his otto' }))).toEqual(['HIS290'])
  expect(keysOf(await listCourses({ text: '290' }))).toEqual(['HIS290'])
  expect(keysOf(await listCourses({ after: 'HIS', text: '' })).slice(0, 1)).toEqual(['HIS201'])
  expect(keysOf(await listCourses({ after: 'HIS' }))).not.toContain('HIS290')
  for (const text of ['…', '%', "'", '\\', "a' | 'b", 'nothing like it'])
    expect(await listCourses({ text })).toEqual({ courses: [], next: null })
})

it('GET /api/courses finds a course by the number in its code, and forgives one typing error', async () => {
  await createNote(test, ben, { courseCode: 'WXY241', title: 'Cartography' })
  await createNote(test, ben, { courseCode: 'WXY 2415' })
  await listNames({ WXY241: 'Cartography and maps' })
  expect(keysOf(await listCourses({ text: '241' }))).toEqual(['WXY241', 'WXY2415'])
  expect(keysOf(await listCourses({ text: '41' }))).toEqual(expect.arrayContaining(['WXY241', 'WXY2415']))
  await indexNotes(test.deps.db)
  for (const text of ['WYX241', 'wyx 241', 'WZY241']) expect(keysOf(await listCourses({ text }))).toEqual(['WXY241'])
  expect(keysOf(await listCourses({ text: 'kartografphy' }))).toEqual(['WXY241'])
  expect(keysOf(await listCourses({ text: 'catrography' }))).toEqual(['WXY241'])
  // Another number is another course.
  expect(keysOf(await listCourses({ text: 'WXY242' }))).toEqual([])
})

it('GET /api/courses finds a name again that was folded by older rules', async () => {
  await listNames({ 'OLD 1': 'Palæography' })
  await test.deps.db.updateTable('course_names').set({ words: '', fold_version: 0 }).execute()
  expect(keysOf(await listCourses({ text: 'palaeo' }))).toEqual([])
  await reindexCourseNames(test.deps.db)
  expect(keysOf(await listCourses({ text: 'palaeo' }))).toEqual(['OLD1'])
})

it('following begins and ends idempotently, and affects no other user', async () => {
  const id = await createNote(test, ben, { courseCode: 'FOL1' })
  for (const code of ['fol1', 'FOL-1']) expect((await follow(code)).statusCode).toBe(204)
  const followed = { key: 'FOL1', courseCode: 'FOL1', name: null, notes: 1, isFollowed: true }
  expect(await listFollowed()).toEqual({ courses: [followed], mails: 'none' })
  expect((await listFollowed(ben)).courses).toEqual([])
  expect((await listCourses({ text: 'fol1' })).courses).toMatchObject([{ isFollowed: true }])
  expect([(await getCourse('FOL1')).followers, (await getCourse('FOL1', ben)).followers]).toEqual([0, 1])
  // The course stays followed after its last note is deleted.
  await ask(`/api/users/me/notes/${id}`, ben, 'DELETE')
  expect((await getCourse('FOL1')).course).toMatchObject({ notes: 0, isFollowed: true })
  for (let turn = 0; turn < 2; turn++) expect((await unfollow('FOL1')).statusCode).toBe(204)
  expect((await listFollowed()).courses).toEqual([])
  expectRefusal(await follow('FOL1'), 'course_not_found')
  expect((await listFollowed()).courses).toEqual([])
})

it('following has a limit that no race gets past', async () => {
  const cat = await createUser(test)
  const codes = Array.from({ length: maxFollowedCourses + 1 }, (_, at) => `LIM${at}`)
  await listNames(Object.fromEntries(codes.map((code) => [code, 'Limits'])))
  const sent = codes.map((code) => follow(code, cat))
  const message = `You can follow up to ${maxFollowedCourses} courses.`
  await expectSuccesses(maxFollowedCourses, sent, 'too_many_courses', message)
  expect((await listFollowed(cat)).courses).toHaveLength(maxFollowedCourses)
})

it('following goes with the student', async () => {
  const dan = await createUser(test)
  await createNote(test, ben, { courseCode: 'LEA1' })
  await follow('LEA1', dan)
  await test.deps.db.deleteFrom('users').where('id', '=', dan.id).execute()
  const left = await test.deps.db.selectFrom('course_follows').where('user_id', '=', dan.id).selectAll().execute()
  expect(left).toEqual([])
})

it('GET /api/users/me/courses/notes has the newest of others in the courses that one follows', async () => {
  const eve = await createUser(test)
  const list = async () => titlesOf((await ask('/api/users/me/courses/notes', eve)).json())
  expect(await list()).toEqual([])
  for (let at = 1; at <= 9; at++)
    await createNote(test, ben, { courseCode: at % 2 ? 'NEW1' : 'NEW2', title: `New ${at}`, createdAt: day(at) })
  await createNote(test, eve, { courseCode: 'NEW1', title: 'Mine', createdAt: day(20) })
  await createNote(test, ben, { courseCode: 'NEW3', title: 'Elsewhere', createdAt: day(21) })
  expect(await list()).toEqual([])
  await follow('NEW1', eve)
  expect(await list()).toEqual(['New 9', 'New 7', 'New 5', 'New 3', 'New 1'])
  await follow('NEW2', eve)
  expect(await list()).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map((at) => `New ${at}`))
})

it('a code whose characters combine without a hyphen has a page at its key', async () => {
  await createNote(test, ada, { courseCode: 'A-\u0301B1' })
  const { courses } = await listCourses({ text: 'ÁB1' })
  expect(keysOf({ courses })).toEqual(['ÁB1'])
  expect((await getCourse(encodeURIComponent(courses[0]?.key ?? ''))).course).toMatchObject({ notes: 1 })
})
