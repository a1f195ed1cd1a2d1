import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { NoteQuery } from '../../../packages/contract/search.ts'
import type { Db } from '../../platform/db/pool.ts'
import { createQueryRunner, createQueryWithTimeout } from '../../platform/db/query-with-timeout.ts'
import { asViewer, createNote, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { countNotesLookedUp, countNotesRead, countTaken, disableAutovacuum } from '../../testing/count-reads.ts'
import { insertManyNotes } from '../../testing/search-fixtures.ts'
import { scannedWithoutWords } from './candidates.queries.ts'
import { searchNotes } from './full-text.ts'
import { findNotes, type Scope } from './search.queries.ts'
import { suggest } from './suggestions.ts'

const test = await openTestApp()
const { db } = test.deps
const noteCount = 4_000
const scanned = 200
const pageSize = 21
/** The number of notes with a rare instructor, course and year; they are the oldest and have the fewest likes. */
const rare = 12
const likedCount = 300
let author: TestUser
/** A user who shares and likes few notes. */
let reader: TestUser

beforeAll(async () => {
  await disableAutovacuum(db, ['notes', 'ratings', 'note_search', 'suggestions'])
  author = await createUser(test)
  reader = await createUser(test)
  const orRare = (rareValue: string, value: string) =>
    `CASE WHEN n > ${noteCount - rare} THEN ${rareValue} ELSE ${value} END`
  await insertManyNotes(test, author, noteCount, {
    title_words: `'graphs'`,
    course_code: orRare(`'ZZZ100'`, `'MAT137'`),
    academic_year: orRare(`'2017–18'`, `'2025–26'`),
    instructor_words: orRare(`tsvector 'zzyzx'`, `'erik olsen'`),
    created_at: `now() - n * interval '1 minute'`,
    likes: `(${noteCount} - n) / 4`,
  })
  for (let n = 0; n < rare; n++) await createNote(test, reader, { title: 'Rings', courseCode: `MAT${n % 3}` })
  await sql`
    INSERT INTO ratings (user_id, note_id, liked)
    SELECT ${reader.id}, id, true FROM notes WHERE user_id = ${author.id}
     ORDER BY likes DESC LIMIT ${likedCount}`.execute(db)
  await sql`VACUUM ANALYZE notes, ratings, note_search`.execute(db)
})

const list =
  (query: NoteQuery, scope: Scope = 'all', viewer = reader) =>
  (db: Db) => {
    const limits = { createdAt: [scanned / 10, scanned], likes: [scanned] }
    const run = createQueryRunner(db, createQueryWithTimeout(db, 2))
    return findNotes(run, scope, asViewer(viewer), query, pageSize, limits)
  }
/** Counts the notes that PostgreSQL reads for a search. */
const countRead = (query: NoteQuery, scope?: Scope) => countNotesRead(test, list(query, scope))

it.each<NoteQuery>([
  { sortBy: 'likes', instructor: 'zzyzx' },
  { sortBy: 'createdAt', instructor: 'zzyzx' },
  { sortBy: 'likes', instructor: 'nobody' },
  { sortBy: 'likes', title: 'graphs', instructor: 'zzy' },
  { sortBy: 'likes', title: 'graphs', courseCode: 'ZZZ', academicYear: '2017–18' },
  { sortBy: 'createdAt', title: 'graphs', courseCode: 'ZZZ' },
  { sortBy: 'createdAt', title: 'graphs', academicYear: '2017–18' },
])('%j reads the next notes and what it finds', async (query) => {
  expect(await countRead(query)).toBeLessThanOrEqual(2 * scanned + 4 * rare + pageSize)
  expect(await countTaken(test, list(query), 'note_search_filter')).toBeLessThanOrEqual(2 * rare)
})

describe.each(['relevance', 'createdAt', 'likes'] as const)('operators alone, by %s', (sortBy) => {
  const find = (text: string, cursor?: string) => (db: Db) => {
    const run = createQueryRunner(db, createQueryWithTimeout(db, 2))
    return searchNotes(run, asViewer(reader), { text, sortBy, scope: 'all', cursor })
  }

  it('read the next notes and what they find', async () => {
    for (const text of ['course:ZZZ100', 'by:zyzzx', 'year:2017–18 -course:MAT']) {
      const { hits } = await find(text)(db)
      expect(hits, text).toHaveLength(text.startsWith('by:') ? 0 : rare)
      expect(await countNotesRead(test, find(text)), text).toBeLessThanOrEqual(scannedWithoutWords + 4 * rare)
    }
  })

  it('list every note once, page by page', async () => {
    const seen: string[] = []
    for (let cursor: string | undefined; seen.length < 84; ) {
      const { hits, next } = await find('course:MAT137', cursor)(db)
      seen.push(...hits.map(({ note }) => note._id))
      cursor = next ?? expect.unreachable('no next page')
    }
    const order = sortBy === 'likes' ? sql`likes` : sql`created_at`
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM notes WHERE course_code = 'MAT137' ORDER BY ${order} DESC, id DESC LIMIT 84`.execute(db)
    expect(seen).toEqual(rows.map(({ id }) => id))
  })

  it('do not claim to be all where only the next notes are searched', async () => {
    await sql`INSERT INTO search_words (word, notes) VALUES ('', ${noteCount}) ON CONFLICT DO NOTHING`.execute(db)
    expect((await find('-graphs')(db)).found).toEqual({ count: sortBy === 'likes' ? 0 : rare, isAll: false })
  })
})

const queries: NoteQuery[] = [
  { sortBy: 'createdAt' },
  { sortBy: 'likes' },
  { sortBy: 'createdAt', academicYear: '2025–26' },
]
it.each(queries)('%j reads what it shows, and passes no hidden note', async (query) => {
  const first = sql`SELECT id FROM notes ORDER BY ${query.sortBy === 'likes' ? sql`likes` : sql`created_at`} DESC LIMIT ${scanned}`
  const hide = (at: string | null) =>
    sql`UPDATE notes SET hidden_at = ${at}, hidden_rule = ${at && 'exam'}, hidden_reason = ${at && 'An exam.'}
         WHERE id IN (SELECT id FROM hidden_ones)`.execute(db)
  await sql`CREATE TABLE hidden_ones AS ${first}`.execute(db)
  await hide('2026-11-22T12:00:00Z')
  expect(await countRead(query)).toBeLessThanOrEqual(pageSize)
  await hide(null)
  await sql`DROP TABLE hidden_ones`.execute(db)
})

const queriesOfLiked: NoteQuery[] = [{ sortBy: 'createdAt' }, { sortBy: 'likes' }, { sortBy: 'likes', title: 'graphs' }]
it.each(queriesOfLiked)('liked notes, %j, read what is liked', async (query) => {
  expect(await countRead(query, 'liked')).toBeLessThanOrEqual(likedCount + pageSize)
})

it('suggestions of courses read no titles', async () => {
  await sql`
    INSERT INTO suggestions (kind, text, key, words, notes)
    SELECT 'title', 'Rings ' || n, 'rings ' || n, array_to_tsvector(ARRAY['rings']), 1
      FROM generate_series(1, 5000) n`.execute(db)
  const run = (db: Db) => suggest(createQueryWithTimeout(db, 2), asViewer(reader), 'ring')
  expect((await run(db)).titles).toHaveLength(5)
  expect(await countTaken(test, run, 'suggestions_title_words')).toBe(0)
})

it.each(['createdAt', 'likes'] as const)('a user’s own notes by course and %s read their own', async (sortBy) => {
  const query: NoteQuery = { sortBy, groupBy: 'course' }
  expect(await countNotesLookedUp(test, list(query, 'mine'))).toBeLessThanOrEqual(2 * rare)
  const [first] = await list(query, 'mine')(db)
  const after = { cursorId: first?._id, cursorValue: String(first?.[sortBy]), cursorCourse: first?.courseCode }
  expect(await countRead({ ...query, ...after }, 'mine')).toBeLessThanOrEqual(4 * rare)
})
