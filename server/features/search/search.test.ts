import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { pageSize } from '../../../packages/contract/limits.ts'
import { type Note, note as noteSchema } from '../../../packages/contract/notes.ts'
import { createNote, createUser, itWithUsers, type NoteValues, openTestApp, type TestUser } from '../../testing/app.ts'
import { onePagePdf } from '../../testing/pdf.ts'
import { expectStatus } from '../../testing/refusal.ts'
import { insertManyNotes } from '../../testing/search-fixtures.ts'
import { get, rate } from '../../testing/students.ts'

const test = await openTestApp()
const it = itWithUsers(test)
const lists = ['/api/notes', '/api/users/me/notes', '/api/users/me/notes/liked'] as const

const list = (user: TestUser, query: Record<string, string> | string = {}, url: string = lists[0]) => {
  const search = typeof query === 'string' ? query : new URLSearchParams(query).toString()
  return get(test, `${url}?${search}`, user.auth)
}

/**
 * Creates notes of one new owner, who has no others, and searches them through the owner's list.
 * @returns a function that returns the titles found by a query, in alphabetical order.
 */
async function library(notes: NoteValues[]) {
  const owner = await createUser(test)
  for (const note of notes) await createNote(test, owner, note)
  return async (query: Record<string, string> | string) => {
    const response = await expectStatus(200, list(owner, query, '/api/users/me/notes'))
    const { notes } = response.json<{ notes: { title: string }[] }>()
    return notes.map(({ title }) => title).sort()
  }
}

it('the three lists show all notes, my notes and the notes I like, the newest first', async () => {
  const [ada, ben] = await Promise.all([createUser(test, { name: 'Ada' }), createUser(test, { name: 'Ben' })])
  const old = await createNote(test, ada, { createdAt: '2990-01-01T00:00:00.001Z', instructor: 'Dr. Noor' })
  const young = await createNote(test, ben, { createdAt: '2990-01-01T00:00:00.002Z' })
  await rate(test, ada, young, { likes: '+' })
  await rate(test, ben, old, { dislikes: '+' })
  const all = (await list(ada)).json()
  expect(all.notes.slice(0, 2)).toEqual([
    expect.objectContaining({ _id: young, user: { _id: ben.id, name: 'Ben' }, likes: 1, dislikes: 0 }),
    {
      ...{ _id: old, title: 'Linear Algebra, week 1', courseCode: 'MAT137', academicYear: '2025–26' },
      ...{ instructor: 'Dr. Noor', isAnonymous: false, user: { _id: ada.id, name: 'Ada' } },
      ...{ createdAt: '2990-01-01T00:00:00.001Z', likes: 0, dislikes: 1 },
      document: { bytes: onePagePdf.length, pageCount: 1, thumbnail: null, isProcessing: true },
      version: expect.any(String),
    },
  ])
  for (const note of all.notes) z.strictObject(noteSchema.shape).parse(note)
  const ids = async (user: TestUser, url: string) =>
    (await list(user, {}, url)).json().notes.map((note: { _id: string }) => note._id)
  expect(await ids(ada, '/api/users/me/notes')).toEqual([old])
  expect(await ids(ada, '/api/users/me/notes/liked')).toEqual([young])
  expect(await ids(ben, '/api/users/me/notes/liked')).toEqual([])
})

it('a search by title finds every word by its beginning, in any order, whatever the case and the accents', async () => {
  const titles = ['Théorie des graphes (résumé)', 'Graph theory, week 10', 'Linear Algebra', 'Euler’s formula']
  const find = await library(titles.map((title) => ({ title })))
  expect(await find({ title: 'theorie' })).toEqual(['Théorie des graphes (résumé)'])
  expect(await find({ title: 'THÉORI GRAPH' })).toEqual(['Théorie des graphes (résumé)'])
  expect(await find({ title: 'graph theo' })).toEqual(['Graph theory, week 10', 'Théorie des graphes (résumé)'])
  expect(await find({ title: 'graph' })).toEqual(['Graph theory, week 10', 'Théorie des graphes (résumé)'])
  expect(await find({ title: 'week 1' })).toEqual(['Graph theory, week 10'])
  expect(await find({ title: 'euler' })).toEqual(['Euler’s formula'])
  expect([await find({ title: "euler's" }), await find({ title: 'raph' })]).toEqual([['Euler’s formula'], []])
  expect(await find({ title: 'graph algebra' })).toEqual([])
})

it('a search by title takes no sign for an operator', async () => {
  const find = await library([{ title: 'Logic and sets' }, { title: '100% done_ish \\ C++' }])
  for (const title of ["logic' | 'sets", 'logic & !sets', 'logic:*', '"logic sets"', 'logic <-> and', '%logic_'])
    expect(await find({ title })).toEqual(title.includes('logic') ? ['Logic and sets'] : [])
  expect(await find({ title: '100%' })).toEqual(['100% done_ish \\ C++'])
  expect(await find({ title: 'c++ \\' })).toEqual(['100% done_ish \\ C++'])
  expect(await find({ title: "'; DROP TABLE notes; --" })).toEqual([])
})

it('a search by title bears titles and words of any length', async () => {
  const long = '㌀'.repeat(200)
  const find = await library([{ title: long }, { title: 'y'.repeat(200) }])
  expect([await find({ title: long }), await find({ title: '㌀' })]).toEqual([[long], [long]])
  expect(await find({ title: 'y'.repeat(200) })).toEqual(['y'.repeat(200)])
  expect(await find({ title: 'y'.repeat(63) })).toEqual(['y'.repeat(200)])
})

it('a search by the other fields finds a course code by its beginning, whatever the case, blanks and hyphens', async () => {
  const codes = { a: 'CS 101', b: 'CS-1010', c: 'CS_101', d: 'MCS101', e: 'ÉCO%1' }
  const find = await library(Object.entries(codes).map(([title, courseCode]) => ({ title, courseCode })))
  for (const courseCode of ['cs101', 'CS 101', 'c-s 1 0-1', ' Cs101 '])
    expect(await find({ courseCode })).toEqual(['a', 'b'])
  expect([await find({ courseCode: 'cs1010' }), await find({ courseCode: 'cs_' })]).toEqual([['b'], ['c']])
  expect([await find({ courseCode: 'c%' }), await find({ courseCode: 'éco%' })]).toEqual([[], ['e']])
  expect(await find({ courseCode: '\\' })).toEqual([])
})

it('the query of a list ignores what is empty or unknown', async () => {
  const find = await library([{ title: 'a' }, { title: 'b' }])
  expect(await find({ title: '', courseCode: ' ', academicYear: '', instructor: '' })).toEqual(['a', 'b'])
  expect(await find({ user: 'x', author: 'y', name: 'z', page: '2', limit: '1', sort: 'title' })).toEqual(['a', 'b'])
  const hostile = 'title[]=x&title[$ne]=b&courseCode[0]=c&__proto__=x&__proto__[title]=q&constructor=1'
  for (const query of [hostile, '&&=&?&title']) expect(await find(query)).toEqual(['a', 'b'])
})

it('the query of a list finds nothing where there is nothing to look for', async () => {
  const find = await library([{ title: 'a' }])
  const queries: Record<string, string>[] = [{ title: '%' }, { title: '…!' }, { instructor: '\\' }, { courseCode: '-' }]
  for (const query of queries) expect(await find(query)).toEqual([])
})

const id = '0d5c8f3e-6a41-4b7e-9c1d-2f8e7a9b0c4d'
const date = '2026-01-02T03:04:05.678Z'
const after = (value: string) => `cursorId=${id}&cursorValue=${encodeURIComponent(value)}`
const refused = [
  'title=a&title=b',
  'academicYear=2024-25&academicYear=2024-25',
  'sortBy=likes&sortBy=likes',
  `cursorId=${id}&cursorId=${id}&cursorValue=${date}`,
  'sortBy=password',
  'academicYear=2024',
  'academicYear=2024-26',
  `title=${'x'.repeat(201)}`,
  `courseCode=${'x'.repeat(33)}`,
  `cursorId=${id}`,
  `cursorValue=${date}`,
  `cursorId=1&cursorValue=${date}`,
  `cursorId=${id}&cursorValue=`,
  ...['0', 'NaN', '2026-01-02', '2026-01-02T03:04:05Z', '"; DROP TABLE notes', '1e999'].map(after),
  ...['2026-13-02T03:04:05.678Z', '2026-02-30T00:00:00.000Z'].map(after),
  ...['-1', 'NaN', '1e3', '1.5', '', ' 1', '99999999999', date].map((value) => `sortBy=likes&${after(value)}`),
]
it.each(refused)('the query of a list refuses %s', async (query) => {
  const user = await createUser(test)
  for (const url of lists) {
    const response = await list(user, query, url)
    expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_input'])
  }
})

it.each([
  'groupBy=title',
  'groupBy=course&groupBy=course',
  `groupBy=course&cursorId=${id}&cursorValue=${date}`,
  `cursorCourse=MAT137&cursorId=${id}&cursorValue=${date}`,
  'groupBy=course&cursorCourse=MAT137',
])('the query of a list refuses %s of the student’s own notes', async (query) => {
  const response = await list(await createUser(test), query, '/api/users/me/notes')
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_input'])
})

it.each([
  `cursorId=${id}&cursorValue=0000-01-01T00:00:00.000Z`,
  `cursorId=${id}&cursorValue=9999-12-31T23:59:59.999Z`,
  `cursorId=${id.toUpperCase()}&cursorValue=${date}`,
  `cursorId=00000000-0000-0000-0000-000000000000&cursorValue=${date}`,
  `sortBy=likes&cursorId=${id}&cursorValue=0`,
  `sortBy=likes&cursorId=${id}&cursorValue=999999999`,
  'title=%F0%9F%93%9A',
  'title=%',
  'title=%ff',
])('the query of a list bears %s', async (query) => {
  const user = await createUser(test)
  for (const url of lists) expect((await list(user, query, url)).statusCode).toBe(200)
})

it('GET /api/notes/count counts what the three lists would show, with the same filters', async ({ reader, author }) => {
  const facts = { courseCode: 'CNT 101', instructor: 'Dr. Zwölf' }
  const ids: string[] = []
  for (const academicYear of ['2025–26', '2025–26', '2024–25'])
    ids.push(await createNote(test, author, { ...facts, academicYear, title: 'Counting sheep', isAnonymous: true }))
  await createNote(test, reader, { ...facts, academicYear: '2025–26', title: 'Own' })
  await rate(test, reader, ids[0] ?? '', { likes: '+' })
  const count = async (query: string) => (await get(test, `/api/notes/count?${query}`, reader.auth)).json()
  for (const [query, expected] of [
    ['courseCode=cnt', 4],
    ['courseCode=cnt101&academicYear=2025-26', 3],
    ['instructor=zwo&title=sheep', 3],
    ['courseCode=cnt&title=%E2%80%A6', 0],
    ['scope=mine&courseCode=cnt', 1],
    ['scope=liked', 1],
    ['scope=liked&academicYear=2024-25', 0],
  ] as const) {
    expect(await count(query), query).toEqual({ count: expected, isAll: true })
  }
})

it('GET /api/notes/count goes no further than 1,000', async ({ reader }) => {
  const count = async () => (await get(test, '/api/notes/count?courseCode=many1', reader.auth)).json()
  await insertManyNotes(test, reader, 1000, { course_code: `'MANY1'` })
  expect(await count()).toEqual({ count: 1000, isAll: true })
  await insertManyNotes(test, reader, 1, { course_code: `'MANY1'` })
  expect(await count()).toEqual({ count: 1000, isAll: false })
})

const badCounts = ['scope=others', 'academicYear=last', 'scope=all&scope=mine']
it.for(badCounts)('GET /api/notes/count refuses %s', async (query, { reader }) => {
  const response = await get(test, `/api/notes/count?${query}`, reader.auth)
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_input'])
})

const { db } = test.deps

type Walk = {
  sortBy?: 'createdAt' | 'likes'
  /** Whether notes are grouped by course. */
  isGrouped?: boolean
  afterPage?: (page: number) => Promise<void>
}

/** Loads pages until there are no more, as the web pages do: the cursor is the last note shown. */
async function walk(user: TestUser, { sortBy = 'createdAt', isGrouped = false, afterPage }: Walk = {}) {
  const ids: string[] = []
  let cursor: Record<string, string> = {}
  for (let page = 0; page < 1000; page++) {
    const group = isGrouped && { groupBy: 'course' }
    const query = new URLSearchParams({ sortBy, ...group, ...cursor })
    const response = await expectStatus(200, list(user, query.toString(), '/api/users/me/notes'))
    const { notes, hasMore } = response.json<{ notes: Note[]; hasMore: boolean }>()
    expect(notes.length).toBeLessThanOrEqual(pageSize)
    ids.push(...notes.map((note) => note._id))
    const last = notes.at(-1)
    if (!hasMore || !last) return ids
    expect(notes).toHaveLength(pageSize)
    const course = isGrouped && { cursorCourse: last.courseCode }
    cursor = { cursorId: last._id, cursorValue: String(last[sortBy]), ...course }
    await afterPage?.(page)
  }
  throw new Error('The walk has no end')
}

async function idsInOrder({ id }: TestUser, order: string) {
  const rows = db.selectFrom('notes').select('id').where('user_id', '=', id).orderBy(sql.raw(order))
  return (await rows.execute()).map((row) => row.id)
}
/** Deletes the note that is the cursor of the next page. */
async function removeLastShown(ids: string[], page: number) {
  await sql`DELETE FROM notes WHERE id = ${ids[(page + 1) * pageSize - 1]}`.execute(db)
}

describe('load more', () => {
  it('shows 5,000 notes of one moment and equal likes exactly once each', async ({ owner }) => {
    await insertManyNotes(test, owner, 5_000, { created_at: `'2026-01-02T03:04:05.678Z'` })
    const expected = await idsInOrder(owner, 'id DESC')
    expect([await walk(owner), await walk(owner, { sortBy: 'likes' })]).toEqual([expected, expected])
  })

  it.each([0, 1, pageSize - 1, pageSize, pageSize + 1, 2 * pageSize])('knows when %i notes are all', async (count) => {
    const owner = await createUser(test)
    await insertManyNotes(test, owner, count)
    expect((await walk(owner)).length).toBe(count)
    const first = (await test.app.inject({ url: '/api/users/me/notes', headers: owner.auth })).json()
    expect(first.hasMore).toBe(count > pageSize)
  })

  it.for([
    ['made within one millisecond', 'createdAt', 'created_at'],
    ['liked equally', 'likes', 'likes'],
  ] as const)('tells notes %s apart, and goes on from a deleted one', async ([_what, sortBy, order], { owner }) => {
    const created_at = `timestamptz '2026-01-02T03:04:05.678Z' + n * interval '97 microseconds'`
    await insertManyNotes(test, owner, 200, { created_at, likes: 'n % 7' })
    const all = await idsInOrder(owner, `${order} DESC, id DESC`)
    expect(await walk(owner, { sortBy, afterPage: (page) => removeLastShown(all, page) })).toEqual(all)
  })

  it('walks through the student’s own notes course by course, in either order, also from a deleted note', async () => {
    const owner = await createUser(test)
    await insertManyNotes(test, owner, 200, {
      likes: 'n % 7',
      created_at: `timestamptz '2026-01-02' + n % 50 * interval '1 hour'`,
    })
    await sql`UPDATE notes SET course_code = c.code, course_key = upper(replace(c.code, ' ', ''))
                FROM (SELECT id, (ARRAY['mat 137', 'CSC111', 'MAT1370', 'ÖKO1'])[1 + row_number() OVER (ORDER BY id) % 4] AS code
                        FROM notes WHERE user_id = ${owner.id}) c WHERE c.id = notes.id`.execute(db)
    const byLikes = await idsInOrder(owner, 'course_key, likes DESC, id DESC')
    expect(await walk(owner, { isGrouped: true, sortBy: 'likes' })).toEqual(byLikes)
    const byDate = await idsInOrder(owner, 'course_key, created_at DESC, id DESC')
    expect(await walk(owner, { isGrouped: true, afterPage: (page) => removeLastShown(byDate, page) })).toEqual(byDate)
  })

  it('shows every note that was there all along once, while others are added and deleted', async ({ owner }) => {
    await insertManyNotes(test, owner, 300)
    const lasting = await idsInOrder(owner, 'id')
    const passing: string[] = []
    const ids = await walk(owner, {
      async afterPage() {
        for (const id of passing.splice(0)) await db.deleteFrom('notes').where('id', '=', id).execute()
        for (const given of [{}, { createdAt: '2001-01-01T00:00:00Z' }])
          passing.push(await createNote(test, owner, given))
      },
    })
    expect(ids.filter((id) => lasting.includes(id)).sort()).toEqual(lasting)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('ends when sorted by likes, however they change meanwhile', async ({ owner }) => {
    await insertManyNotes(test, owner, 300, { likes: 'n % 10' })
    const change = sql`UPDATE notes SET likes = (likes * 7 + 3) % 10 WHERE user_id = ${owner.id}`
    const ids = await walk(owner, { sortBy: 'likes', afterPage: async () => void (await change.execute(db)) })
    expect(ids.length).toBeLessThanOrEqual(3000)
  })
})
