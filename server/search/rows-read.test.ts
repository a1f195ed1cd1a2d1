import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { NoteQuery, SearchQuery } from '../../contract/search.ts'
import type { Db } from '../db/pool.ts'
import { createReadWithin, readsOn } from '../db/read-within.ts'
import { openTestApp } from '../test/app.ts'
import { asViewer, createNote, createUser, type TestUser } from '../test/factories.ts'
import { countKeysMade, countNotesLookedUp, countNotesRead, countTaken, endAutovacuum } from '../test/rows-read.ts'
import { foldVersion } from '../words/fold.ts'
import { searchInside } from './inside/search-inside.ts'
import { countNotes, findNotes, type Scope } from './search.queries.ts'
import { suggest } from './suggestions.ts'

const test = await openTestApp()
const pool = new pg.Pool({ connectionString: test.databaseUrl, max: 2 })
const noteCount = 20_000
const walked = 1_000
const pageSize = 21
/** The instructor, the course and the year of so many have no others; they are the oldest and the least liked. */
const rare = 12
const likedCount = 500
const insertedAtOnce = 1_000
let author: TestUser
/** Shares few notes, and likes few. */
let reader: TestUser

beforeAll(async () => {
  await endAutovacuum(test.deps.db, ['notes', 'ratings', 'search_entries', 'suggestions'])
  author = await createUser(test)
  reader = await createUser(test)
  for (let from = 1; from <= noteCount; from += insertedAtOnce) {
    const to = from + insertedAtOnce - 1
    await sql`
      WITH documents AS (
        INSERT INTO documents (file_key, bytes, sha256)
        SELECT md5(n::text), 1, '\\x00' FROM generate_series(${from}::int, ${to}::int) n RETURNING id, file_key)
      INSERT INTO notes (user_id, title, course_code, academic_year, instructor, is_anonymous, created_at, likes,
                         course_key, title_words, instructor_words, fold_version, document_id)
      SELECT ${author.id}, 'Graphs', course, CASE WHEN is_rare THEN '2017–18' ELSE '2025–26' END, 'Erik Olsen', false,
             now() - n * interval '1 minute', (${noteCount}::int - n) / 4, course, array_to_tsvector(ARRAY['graphs']),
             array_to_tsvector(CASE WHEN is_rare THEN ARRAY['zzyzx'] ELSE ARRAY['erik', 'olsen'] END), ${foldVersion}, documents.id
        FROM generate_series(${from}::int, ${to}::int) n JOIN documents ON file_key = md5(n::text),
             LATERAL (SELECT n > ${noteCount}::int - ${rare}::int AS is_rare) r,
             LATERAL (SELECT CASE WHEN is_rare THEN 'ZZZ100' ELSE 'MAT137' END AS course) c`.execute(test.deps.db)
  }
  for (let n = 0; n < rare; n++) await createNote(test, reader, { title: 'Rings', courseCode: `MAT${n % 3}` })
  await sql`
    INSERT INTO ratings (user_id, note_id, liked)
    SELECT ${reader.id}, id, true FROM notes WHERE user_id = ${author.id} ORDER BY likes DESC LIMIT ${likedCount}`.execute(
    test.deps.db,
  )
  await sql`VACUUM ANALYZE notes, ratings, search_entries`.execute(test.deps.db)
}, 120_000)
afterAll(() => pool.end())

const list =
  (query: NoteQuery, scope: Scope = 'all', viewer = reader) =>
  (db: Db) =>
    findNotes(readsOn(db, createReadWithin(db, 2)), scope, asViewer(viewer), query, pageSize, walked)
/** The notes that PostgreSQL reads for a search. */
const countRead = (query: NoteQuery, scope?: Scope) => countNotesRead(pool, list(query, scope))

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
  { sortBy: 'likes', title: 'graphs', courseCode: 'ZZZ' },
  { sortBy: 'createdAt', title: 'graphs', courseCode: 'ZZZ' },
  { sortBy: 'likes', title: 'graphs', academicYear: '2017–18' },
  { sortBy: 'likes', title: 'graphs', instructor: 'zzy', courseCode: 'ZZZ', academicYear: '2017–18' },
  { sortBy: 'createdAt', title: 'graphs', academicYear: '2017–18' },
])('%j reads what it finds, and not what it walks past', async (query) => {
  expect(await countNotesLookedUp(pool, list(query))).toBeLessThanOrEqual(2 * rare + pageSize)
  expect(await countRead(query)).toBeLessThanOrEqual(walked + 2 * rare + pageSize)
})

it('a walk passes notes of very many words in their place', async () => {
  const words = Array.from({ length: 300 }, (_, n) => String.fromCodePoint(0x4e00 + 7 * n, 0x4e01 + 11 * n))
  const newest = await createNote(test, author, { title: 'Graphs', createdAt: '2999-01-01T00:00:00Z' })
  await sql`UPDATE notes SET title_words = title_words || array_to_tsvector(${words}::text[]) WHERE id = ${newest}`.execute(
    test.deps.db,
  )
  const query: NoteQuery = { sortBy: 'createdAt', title: 'graphs' }
  expect((await list(query)(test.deps.db))[0]?._id).toBe(newest)
  // Those beside it on its page of the table are looked up as well, until that is vacuumed.
  expect(await countNotesLookedUp(pool, list(query))).toBeLessThanOrEqual(pageSize + 2 * rare)
  await test.deps.db.deleteFrom('notes').where('id', '=', newest).execute()
})

it.each<NoteQuery>([
  { sortBy: 'createdAt', courseCode: 'zzz' },
  { sortBy: 'likes', courseCode: 'zzz' },
  { sortBy: 'createdAt', courseCode: 'zzz', academicYear: '2017–18' },
])('%j reads the notes of the courses that begin so', async (query) => {
  expect(await countRead(query)).toBeLessThanOrEqual(rare)
})

it.each<NoteQuery>([
  { sortBy: 'likes', courseCode: 'zzz', academicYear: '2017–18' },
  { sortBy: 'likes', courseCode: 'zzz', title: 'graphs' },
  { sortBy: 'createdAt', courseCode: 'zzz', title: 'rings' },
])('%j reads the notes of the only course that begins so, and none besides', async (query) => {
  expect(await countRead(query)).toBeLessThanOrEqual(2 * pageSize)
})

it.each<NoteQuery>([
  { sortBy: 'likes', courseCode: 'mat', title: 'rings' },
  { sortBy: 'createdAt', courseCode: 'mat', title: 'rings' },
])('%j finds the notes of all the courses that begin so', async (query) => {
  const found = await list(query)(test.deps.db)
  expect(new Set(found.map(({ courseCode }) => courseCode))).toEqual(new Set(['MAT0', 'MAT1', 'MAT2']))
  expect(found).toHaveLength(rare)
})

it.each<NoteQuery>([{ sortBy: 'createdAt' }, { sortBy: 'likes' }, { sortBy: 'createdAt', academicYear: '2025–26' }])(
  '%j reads what it shows, and passes no hidden note',
  async (query) => {
    const first = sql`SELECT id FROM notes ORDER BY ${query.sortBy === 'likes' ? sql`likes` : sql`created_at`} DESC LIMIT ${walked}`
    const hide = (at: string | null) =>
      sql`UPDATE notes SET hidden_at = ${at}, hidden_rule = ${at && 'exam'}, hidden_reason = ${at && 'An exam.'}
           WHERE id IN (SELECT id FROM hidden_ones)`.execute(test.deps.db)
    await sql`CREATE TABLE hidden_ones AS ${first}`.execute(test.deps.db)
    await hide('2026-11-22T12:00:00Z')
    expect(await countRead(query)).toBeLessThanOrEqual(pageSize)
    await hide(null)
    await sql`DROP TABLE hidden_ones`.execute(test.deps.db)
  },
)

it.each<NoteQuery>([
  { sortBy: 'likes', title: 'graphs', courseCode: 'ZZZ' },
  { sortBy: 'likes', title: 'graphs', academicYear: '2017–18' },
  { sortBy: 'likes', title: 'graphs rings', courseCode: 'ZZZ', academicYear: '2017–18' },
  { sortBy: 'createdAt', title: 'graphs', instructor: 'erik zzyzx' },
])('%j takes what is rare from its index, and not all that has a frequent word', async (query) => {
  expect(await countTaken(pool, list(query), 'notes_filter_keys')).toBeLessThanOrEqual(2 * rare)
})

it('liked notes by date read those they show', async () => {
  const query: NoteQuery = { sortBy: 'createdAt' }
  expect(await countRead(query, 'liked')).toBeLessThanOrEqual(pageSize)
  const last = (await list(query, 'liked')(test.deps.db)).at(-1)
  const after = { cursorId: last?._id, cursorValue: last?.createdAt }
  expect(await countRead({ ...query, ...after }, 'liked')).toBeLessThanOrEqual(pageSize)
})

it('liked notes by likes, or with a filter, read what is liked', async () => {
  expect(await countRead({ sortBy: 'likes' }, 'liked')).toBeLessThanOrEqual(likedCount + pageSize)
  expect(await countRead({ sortBy: 'likes', title: 'graphs' }, 'liked')).toBeLessThanOrEqual(likedCount + pageSize)
})

it('the most liked notes of somebody who likes many are found among the most liked', async () => {
  const fan = await createUser(test)
  await sql`
    INSERT INTO ratings (user_id, note_id, liked)
    SELECT ${fan.id}, id, n % 5 > 0
      FROM (SELECT id, row_number() OVER (ORDER BY likes DESC, id DESC) AS n FROM notes WHERE user_id = ${author.id}) AS ranked
     WHERE n <= 640 OR n % 400 = 1`.execute(test.deps.db)
  await sql`VACUUM ANALYZE notes, ratings`.execute(test.deps.db)
  const asked = (after: Partial<NoteQuery>) => (db: Db) =>
    findNotes(
      readsOn(db, createReadWithin(db, 2)),
      'liked',
      asViewer(fan),
      { sortBy: 'likes', ...after },
      pageSize,
      walked,
    )
  const { rows } = await sql<{ id: string }>`
    SELECT n.id FROM notes n JOIN ratings r ON r.note_id = n.id AND r.user_id = ${fan.id} AND r.liked
     ORDER BY n.likes DESC, n.id DESC`.execute(test.deps.db)
  const found: string[] = []
  for (let after: Partial<NoteQuery> = {}; ; ) {
    const page = await asked(after)(test.deps.db)
    found.push(...page.map(({ _id }) => _id))
    const last = page.at(-1)
    if (!last || page.length < pageSize) break
    if (found.length === pageSize) expect(await countNotesLookedUp(pool, asked({}))).toBeLessThanOrEqual(pageSize)
    after = { cursorId: last._id, cursorValue: String(last.likes) }
  }
  expect(found).toEqual(rows.map(({ id }) => id))
})

it('suggestions of courses read no titles', async () => {
  await sql`
    INSERT INTO suggestions (kind, text, key, words, notes)
    SELECT 'title', 'Rings ' || n, 'rings ' || n, array_to_tsvector(ARRAY['rings']), 1 FROM generate_series(1, 5000) n`.execute(
    test.deps.db,
  )
  const run = (db: Db) => suggest(createReadWithin(db, 2), asViewer(reader), 'ring')
  expect((await run(test.deps.db)).titles).toHaveLength(5)
  expect(await countTaken(pool, run, 'suggestions_title_words')).toBe(0)
})

it.each(['createdAt', 'likes'] as const)('one’s own notes course by course, by %s, read one’s own', async (sortBy) => {
  const query: NoteQuery = { sortBy, groupBy: 'course' }
  expect(await countRead(query, 'mine')).toBeLessThanOrEqual(2 * rare)
  const [first] = await list(query, 'mine')(test.deps.db)
  const after = { cursorId: first?._id, cursorValue: String(first?.[sortBy]), cursorCourse: first?.courseCode }
  expect(await countRead({ ...query, ...after }, 'mine')).toBeLessThanOrEqual(4 * rare)
})

it.each(['createdAt', 'likes'] as const)(
  'a frequent word, by %s, makes no keys of the notes of one student',
  async (sortBy) => {
    const query: NoteQuery = { sortBy, title: 'graphs' }
    expect(await countKeysMade(pool, list(query, { sharedBy: author.id }))).toBe(0)
    expect(await countKeysMade(pool, list(query, 'mine', author))).toBe(0)
    const count = (db: Db) => countNotes(db, asViewer(author), { scope: 'mine', title: 'graphs' }, pageSize)
    expect(await countKeysMade(pool, count)).toBe(0)
  },
)

const inside =
  (query: Omit<SearchQuery, 'text'>, text = 'graphs') =>
  (db: Db) =>
    searchInside(readsOn(db, createReadWithin(db, 2)), asViewer(reader), { text, ...query })

it.each(['createdAt', 'likes'] as const)('a word of every note, by %s, reads the notes it shows', async (sortBy) => {
  expect(await countNotesRead(pool, inside({ sortBy }))).toBeLessThanOrEqual(100)
})

it('a word of every note, by relevance, is taken from the index of a sixteenth of them', async () => {
  const run = inside({ sortBy: 'relevance' })
  expect(await countTaken(pool, run, 'search_entries_sample')).toBeGreaterThan(0)
  expect(await countTaken(pool, run, 'search_entries_words')).toBe(0)
})

it('a word of every note puts those first that have it in their title, wherever they are', async () => {
  await sql`UPDATE search_entries SET words = words || '''everywhere'''`.execute(test.deps.db)
  const { rows: titled } = await sql<{ id: string }>`
    UPDATE search_entries SET words = words || '''!everywhere''', ranked = ranked || '''everywhere'':1A'
     WHERE note_id IN (SELECT id FROM notes WHERE user_id = ${author.id} ORDER BY likes LIMIT 3) RETURNING note_id AS id`.execute(
    test.deps.db,
  )
  const { hits } = await inside({ sortBy: 'relevance' }, 'everywhere')(test.deps.db)
  const ids = hits.slice(0, 3).map(({ note }) => note._id)
  expect(ids.toSorted()).toEqual(titled.map(({ id }) => id).toSorted())
})

it.each(['createdAt', 'likes'] as const)('a word of every note is found page by page, by %s', async (sortBy) => {
  const order = sortBy === 'likes' ? sql`likes DESC, id DESC` : sql`created_at DESC, id DESC`
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM notes WHERE title = 'Graphs' ORDER BY ${order} LIMIT 36`.execute(test.deps.db)
  const found: string[] = []
  for (let cursor: string | undefined; found.length < 36; ) {
    const { hits, next } = await inside({ sortBy, cursor })(test.deps.db)
    found.push(...hits.map(({ note }) => note._id))
    cursor = next ?? undefined
  }
  expect(found).toEqual(rows.map(({ id }) => id))
})

it.each(['createdAt', 'likes'] as const)(
  'a frequent word that few of the next notes have, by %s, looks up the notes it shows',
  async (sortBy) => {
    const order = sortBy === 'likes' ? sql`likes DESC, id DESC` : sql`created_at DESC, id DESC`
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM (SELECT id, row_number() OVER (ORDER BY ${order}) AS place FROM notes WHERE title = 'Graphs') n
       WHERE place % 25 = 0 OR place > ${walked} ORDER BY place`.execute(test.deps.db)
    const having = rows.map(({ id }) => id)
    const word = `later${sortBy}`.toLowerCase()
    await sql`
      UPDATE search_entries SET words = words || array_to_tsvector(ARRAY[${word}]) WHERE note_id = ANY(${having})`.execute(
      test.deps.db,
    )
    await sql`VACUUM notes`.execute(test.deps.db)
    for (const filter of [{}, { instructor: 'erik', academicYear: '2025–26' }]) {
      const search = (cursor?: string) => inside({ sortBy, ...filter, cursor }, word)
      const { hits, next } = await search()(test.deps.db)
      const { hits: further } = await search(next ?? undefined)(test.deps.db)
      expect([...hits, ...further].map(({ note }) => note._id)).toEqual(having.slice(0, 24))
    }
    const walkedThere = 300
    expect(await countNotesLookedUp(pool, inside({ sortBy }, word))).toBeLessThanOrEqual(walkedThere + 100)
  },
)

it('a word of every note finds the oldest, where a filter leaves no others', async () => {
  const { hits } = await inside({ sortBy: 'createdAt', instructor: 'zzyzx' })(test.deps.db)
  expect(hits).toHaveLength(rare)
})
