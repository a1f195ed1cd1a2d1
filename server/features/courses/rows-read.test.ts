import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { maxNewNotes } from '../../../packages/contract/courses.ts'
import type { Db } from '../../platform/db/pool.ts'
import { createQueryWithTimeout, queryTimeoutMs } from '../../platform/db/query-with-timeout.ts'
import { asViewer, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { countNotesRead, disableAutovacuum } from '../../testing/count-reads.ts'
import { insertManyNotes } from '../../testing/search-fixtures.ts'
import * as mails from './course-digests.ts'
import * as courses from './courses.queries.ts'

const test = await openTestApp()
const noteCount = 40_000
/**
 * One course has a tenth of all notes, which are the oldest; the others share the rest. Each year and each instructor
 * has an eighth of a course.
 */
const [big, small] = ['BIG1', 'C7']
const share = 10
const parts = 8
const pageSize = 25
let reader: TestUser

beforeAll(async () => {
  await disableAutovacuum(test.deps.db, ['notes', 'suggestions', 'course_follows'])
  reader = await createUser(test)
  const owner = await createUser(test)
  await insertManyNotes(test, owner, noteCount, {
    course_code: `CASE WHEN n % ${share} = 0 THEN 'BIG1' ELSE 'C' || n % 99 END`,
    academic_year: `(2010 + (n / ${share}) % ${parts}) || '–00'`,
    instructor: `'Teacher ' || (n / ${share}) % ${parts}`,
    instructor_words: `('teacher:1 ' || (n / ${share}) % ${parts} || ':2')::tsvector`,
    created_at: `now() - n * interval '1 minute' - CASE WHEN n % ${share} = 0 THEN interval '60 days' ELSE interval '0' END`,
    likes: 'n % 50',
  })
  for (const key of [big, small])
    await test.deps.db.insertInto('course_follows').values({ user_id: reader.id, course_key: key }).execute()
  await sql`VACUUM ANALYZE notes, suggestions, course_follows`.execute(test.deps.db)
}, 180_000)

/** Reads as the server does, so that each statement is planned for its values. */
const countRead = (run: (db: Db) => Promise<unknown>) =>
  countNotesRead(test, (db) => createQueryWithTimeout(db, 2)(asViewer(reader), queryTimeoutMs, run))

describe.each([big, small])('of the course %s', (key) => {
  const viewer = () => asViewer(reader)
  const page = (query: Partial<Parameters<typeof courses.findCourseNotes>[3]>) => (db: Db) =>
    courses.findCourseNotes(db, viewer(), key, { sortBy: 'createdAt', ...query }, pageSize)

  const inCourse = key === big ? noteCount / share : Math.ceil(noteCount / 99)

  it('the newest and the first moment are read alone', async () => {
    expect(await countRead(page({}))).toBe(pageSize)
    expect(await countRead((db) => courses.findFirstMoment(db, viewer(), key))).toBe(1)
  })

  it.each([
    ['the most liked', page({ sortBy: 'likes' })],
    ['those of a year', page({ academicYear: '2012–00' })],
    ['the most liked of an instructor', page({ instructor: 'Teacher 2', sortBy: 'likes' })],
    ['the favourites', (db: Db) => courses.findFavourites(db, viewer(), key)],
    ['years', (db: Db) => courses.findAcademicYears(db, viewer(), key)],
    ['instructors', (db: Db) => courses.findInstructors(db, viewer(), key)],
  ])('%s are found within the course', async (_what, run) => {
    expect(await run(test.deps.db)).not.toHaveLength(0)
    expect(await countRead(run)).toBeLessThanOrEqual(inCourse + 1)
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
