import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { NoteQuery, SearchQuery } from '../../contract/search.ts'
import type { Db } from '../db/pool.ts'
import { createReadWithin } from '../db/read-within.ts'
import { openTestApp } from '../test/app.ts'
import { asViewer, createUser, type TestUser } from '../test/factories.ts'
import { countNotesRead } from '../test/rows-read.ts'
import { searchInside } from './inside/search-inside.ts'
import { findNotes } from './search.queries.ts'

const test = await openTestApp()
const pool = new pg.Pool({ connectionString: test.databaseUrl, max: 2 })
const noteCount = 20_000
const walked = 1_000
const pageSize = 21
/** The instructor of so many has no other; they are the oldest and the least liked. */
const rare = 12
const insertedAtOnce = 1_000
let reader: TestUser

beforeAll(async () => {
  reader = await createUser(test)
  for (let from = 1; from <= noteCount; from += insertedAtOnce) {
    const to = from + insertedAtOnce - 1
    await sql`
      WITH documents AS (
        INSERT INTO documents (file_key, bytes, sha256)
        SELECT md5(n::text), 1, '\\x00' FROM generate_series(${from}::int, ${to}::int) n RETURNING id, file_key)
      INSERT INTO notes (user_id, title, course_code, academic_year, instructor, is_anonymous, created_at, likes,
                         course_key, title_words, instructor_words, document_id)
      SELECT ${reader.id}, 'Graphs', 'MAT137', '2025–26', 'Erik Olsen', false, now() - n * interval '1 minute',
             (${noteCount}::int - n) / 4, 'MAT137', array_to_tsvector(ARRAY['graphs']),
             array_to_tsvector(CASE WHEN n > ${noteCount}::int - ${rare}::int THEN ARRAY['zzyzx'] ELSE ARRAY['erik', 'olsen'] END),
             documents.id
        FROM generate_series(${from}::int, ${to}::int) n JOIN documents ON file_key = md5(n::text)`.execute(
      test.deps.db,
    )
  }
  await sql`VACUUM ANALYZE notes`.execute(test.deps.db)
}, 120_000)
afterAll(() => pool.end())

/** The notes that PostgreSQL reads for a search. */
const countRead = (query: NoteQuery) =>
  countNotesRead(pool, (db) =>
    findNotes({ db, readWithin: createReadWithin(db, 2) }, 'all', asViewer(reader), query, pageSize, walked),
  )

it('counts what is read of the table', async () => {
  expect(await countRead({ sortBy: 'likes', title: 'grap' })).toBeGreaterThanOrEqual(pageSize)
})

it.each<NoteQuery>([
  { sortBy: 'likes', instructor: 'zzyzx' },
  { sortBy: 'createdAt', instructor: 'zzyzx' },
  { sortBy: 'likes', instructor: 'nobody' },
  { sortBy: 'likes', title: 'graphs', instructor: 'zzy' },
  { sortBy: 'likes', title: 'graphs' },
  { sortBy: 'createdAt', title: 'graphs', instructor: 'erik' },
])('%j reads the walk and what it finds, and not the table', async (query) => {
  expect(await countRead(query)).toBeLessThanOrEqual(walked + 2 * rare + pageSize)
})

const inside = (query: Omit<SearchQuery, 'text'>) => (db: Db) =>
  searchInside(createReadWithin(db, 2), asViewer(reader), { text: 'graphs', ...query })

it.each(['createdAt', 'likes'] as const)('a word of every note, by %s, reads the notes it shows', async (sortBy) => {
  expect(await countNotesRead(pool, inside({ sortBy }))).toBeLessThanOrEqual(100)
})

it.each(['createdAt', 'likes'] as const)('a word of every note is found page by page, by %s', async (sortBy) => {
  const order = sortBy === 'likes' ? sql`likes DESC, id DESC` : sql`created_at DESC, id DESC`
  const { rows } = await sql<{ id: string }>`SELECT id FROM notes ORDER BY ${order} LIMIT 36`.execute(test.deps.db)
  const found: string[] = []
  for (let cursor: string | undefined; found.length < 36; ) {
    const { hits, next } = await inside({ sortBy, cursor })(test.deps.db)
    found.push(...hits.map(({ note }) => note._id))
    cursor = next ?? undefined
  }
  expect(found).toEqual(rows.map(({ id }) => id))
})

it('a word of every note finds the oldest, where a filter leaves no others', async () => {
  const { hits } = await inside({ sortBy: 'createdAt', instructor: 'zzyzx' })(test.deps.db)
  expect(hits).toHaveLength(rare)
})
