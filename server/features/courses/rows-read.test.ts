import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maxFavourites, maxNewNotes } from '../../../packages/contract/courses.ts'
import type { Db } from '../../platform/db/pool.ts'
import { createQueryWithTimeout, queryTimeoutMs } from '../../platform/db/query-with-timeout.ts'
import { asViewer, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { countNotesRead, disableAutovacuum } from '../../testing/count-reads.ts'
import { insertManyNotes } from '../../testing/search-fixtures.ts'
import * as mails from './course-digests.ts'
import * as courses from './courses.queries.ts'

const test = await openTestApp()
const pool = new pg.Pool({ connectionString: test.databaseUrl, max: 2 })
const noteCount = 40_000
/**
 * One course has half of all notes, which are the oldest; the others share the rest. Each year and each instructor has
 * an eighth of a course.
 */
const [big, small] = ['BIG1', 'C7']
const parts = 8
const pageSize = 25
let reader: TestUser

beforeAll(async () => {
  await disableAutovacuum(test.deps.db, ['notes', 'suggestions', 'course_follows'])
  reader = await createUser(test)
  const owner = await createUser(test)
  await insertManyNotes(test, owner, noteCount, {
    course_code: `CASE WHEN n % 2 = 0 THEN 'BIG1' ELSE 'C' || n % 99 END`,
    academic_year: `(2010 + (n / 2) % ${parts}) || '–00'`,
    instructor: `'Teacher ' || (n / 2) % ${parts}`,
    instructor_words: `('teacher:1 ' || (n / 2) % ${parts} || ':2')::tsvector`,
    created_at: `now() - n * interval '1 minute' - CASE WHEN n % 2 = 0 THEN interval '60 days' ELSE interval '0' END`,
    likes: 'n % 50',
  })
  for (const key of [big, small])
    await test.deps.db.insertInto('course_follows').values({ user_id: reader.id, course_key: key }).execute()
  await sql`VACUUM ANALYZE notes, suggestions, course_follows`.execute(test.deps.db)
}, 180_000)
afterAll(() => pool.end())

/** Reads as the server does, so that each statement is planned for its values. */
const countRead = (run: (db: Db) => Promise<unknown>) =>
  countNotesRead(pool, (db) => createQueryWithTimeout(db, 2)(asViewer(reader), queryTimeoutMs, run))

describe.each([big, small])('of the course %s', (key) => {
  const viewer = () => asViewer(reader)
  const page = (query: Partial<Parameters<typeof courses.findCourseNotes>[3]>) => (db: Db) =>
    courses.findCourseNotes(db, viewer(), key, { sortBy: 'createdAt', ...query }, pageSize)

  it.each([
    ['the newest', {}],
    ['the most liked', { sortBy: 'likes' as const }],
    ['the newest of a year', { academicYear: '2012–00' }],
    ['the newest of an instructor', { instructor: 'Teacher 2' }],
  ])('%s are read alone', async (_what, query) => {
    const read = await countRead(page(query))
    expect(read).toBeGreaterThan(0)
    expect(read).toBeLessThanOrEqual(pageSize)
  })

  it('what no index has in order is collected within the course', async () => {
    const inCourse = key === big ? noteCount / 2 : noteCount / 2 / 99 + 1
    const read = await countRead(page({ academicYear: '2012–00', sortBy: 'likes' }))
    expect(read).toBeLessThanOrEqual(inCourse / parts + 1)
  })

  it('the favourites, the first moment, years and instructors are looked up', async () => {
    expect(await countRead((db) => courses.findFavourites(db, viewer(), key))).toBe(maxFavourites)
    expect(await countRead((db) => courses.findFirstMoment(db, viewer(), key))).toBe(1)
    expect(await countRead((db) => courses.findAcademicYears(db, viewer(), key))).toBe(parts)
    expect(await countRead((db) => courses.findInstructors(db, viewer(), key))).toBe(parts)
  })
})

it('what is new in followed courses is the newest of each', async () => {
  expect(await countRead((db) => courses.findNewNotes(db, asViewer(reader)))).toBeLessThanOrEqual(2 * maxNewNotes)
})

it('an email reads only the notes since the last one', async () => {
  await sql`UPDATE course_follows SET followed_at = '2020-01-01'`.execute(test.deps.db)
  const until = new Date()
  const notifiedUntil = new Date(until.getTime() - (60 * 24 + 1) * 60 * 60_000)
  const span = { notifiedUntil, until }
  const news = await mails.countNews(test.deps.db, asViewer(reader), span)
  expect(Object.fromEntries(news)).toEqual({ [big]: expect.any(Number), [small]: expect.any(Number) })
  const total = [...news.values()].reduce((sum, notes) => sum + notes)
  expect(await countRead((db) => mails.countNews(db, asViewer(reader), span))).toBe(total)
})

it('a page of courses reads no note', async () => {
  const list = (db: Db) =>
    courses.findCourseKeys(db, '', 10).then((keys) => courses.readCourses(db, asViewer(reader), keys))
  expect(await countRead(list)).toBe(0)
})
