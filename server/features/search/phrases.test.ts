import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { SearchQuery } from '../../../packages/contract/search.ts'
import type { Db } from '../../platform/db/pool.ts'
import { createQueryRunner, createQueryWithTimeout } from '../../platform/db/query-with-timeout.ts'
import { asViewer, createUser, openTestApp, type TestUser } from '../../testing/app.ts'
import { countPagesRead, disableAutovacuum } from '../../testing/count-reads.ts'
import { insertManyNotes, search } from '../../testing/search-fixtures.ts'
import { searchNotes } from './full-text.ts'
import { indexNotes } from './index-notes.ts'
import { foldVersion } from './text-analysis/fold.ts'

const test = await openTestApp()
const { db } = test.deps
/** All notes have the words of `law of large numbers`, and only a few have them next to each other. */
const noteCount = 600
const together = [200, 400, 599]
const hidden = 400
let reader: TestUser

beforeAll(async () => {
  await disableAutovacuum(test.deps.db, ['notes', 'document_pages', 'note_search', 'note_text'])
  reader = await createUser(test)
  const isEven = (even: string, odd: string) => `CASE WHEN n % 2 = 0 THEN ${even} ELSE ${odd} END`
  await insertManyNotes(test, reader, noteCount, {
    title: `'Note ' || n`,
    course_code: isEven(`'EVE 100'`, `'ODD 100'`),
    course_key: isEven(`'EVE100'`, `'ODD100'`),
    course_words: isEven(`tsvector 'eve100'`, `'odd100'`),
    created_at: `now() - n * interval '1 minute'`,
    likes: 'n % 7',
  })
  await sql`
    INSERT INTO document_pages (document_id, page, text, words, fold_version)
    SELECT document_id, 1, words, words, ${foldVersion}
      FROM (SELECT document_id, substr(title, 6)::int AS n FROM notes) notes,
           LATERAL (SELECT CASE WHEN n = ANY(${together}) THEN ' the law of large numbers holds | '
                           ELSE ' numbers of a large law by heart everywhere | ' END
                           || CASE WHEN n < 3 THEN ' seldom ' ELSE '' END AS words) w`.execute(db)
  await sql`INSERT INTO index_queue SELECT id FROM documents`.execute(db)
  await indexNotes(db)
  await sql`UPDATE notes SET hidden_at = now(), hidden_rule = 'exam', hidden_reason = 'An exam.'
             WHERE title = ${`Note ${hidden}`}`.execute(db)
  await sql`VACUUM ANALYZE notes, document_pages, note_search, note_text`.execute(db)
}, 120_000)

const inside =
  (text: string, query: Partial<SearchQuery> = {}) =>
  (db: Db) => {
    const all: SearchQuery = { text, scope: 'all', sortBy: 'relevance', ...query }
    return searchNotes(createQueryRunner(db, createQueryWithTimeout(db, 2)), asViewer(reader), all)
  }
const find = async (text: string, query: Record<string, string> = {}): Promise<string[]> => {
  const response = await search(test, reader, { text, ...query })
  expect(response.statusCode, response.body).toBe(200)
  return response.json().hits.map(({ note }: { note: { title: string } }) => note.title)
}
const found = together.filter((n) => n !== hidden).map((n) => `Note ${n}`)
const orders = ['relevance', 'createdAt', 'likes']
it.each(orders)(
  'a phrase of words that every note has is found wherever it is, by %s, and not where it is hidden',
  async (sortBy) => {
    expect((await find('"law of large numbers"', { sortBy })).toSorted()).toEqual(found.toSorted())
  },
)

it('a phrase of words that every note has is found together with other filters', async () => {
  expect(await find('"law of large numbers" holds', { courseCode: 'odd' })).toEqual(['Note 599'])
  expect(await find('"law of large numbers" "numbers holds"', { sortBy: 'createdAt' })).toEqual(found)
  expect(await find('"law of large numbers" everywhere')).toEqual([])
  expect(await find('"law of large numbers"', { academicYear: '2024–25' })).toEqual([])
})

const queries: Partial<SearchQuery>[] = [{}, { sortBy: 'createdAt' }, { sortBy: 'likes' }, { courseCode: 'odd' }]
it.each(queries)('a phrase of words that every note has is searched on few pages: %j', async (query) => {
  // Pages are read once to find the notes and once for the passages.
  expect(await countPagesRead(test, inside('"law of large numbers"', query))).toBeLessThanOrEqual(4 * together.length)
})

it('a phrase of words that every note has that occurs nowhere is searched on no page', async () => {
  expect(await find('"numbers of law"')).toEqual([])
  expect(await countPagesRead(test, inside('"numbers of law"'))).toBe(0)
})

it('a phrase that nearly every note has fills a page, the newest first by date, and is found with a rare word', async () => {
  for (const query of [{}, { sortBy: 'likes' }, { courseCode: 'odd' }] as Record<string, string>[])
    expect(await find('"by heart"', query)).toHaveLength(12)
  const newest = Array.from({ length: 12 }, (_, n) => `Note ${n + 1}`)
  expect(await find('"by heart"', { sortBy: 'createdAt' })).toEqual(newest)
  expect((await find('"by heart" seldom')).toSorted()).toEqual(['Note 1', 'Note 2'])
})

it('the pages of a note that changes have their new pairs immediately', async () => {
  const { rows } = await sql<{ id: string }>`SELECT document_id AS id FROM notes WHERE title = 'Note 7'`.execute(db)
  await sql`UPDATE document_pages SET words = ' entirely new words | ' WHERE document_id = ${rows[0]?.id}`.execute(db)
  await sql`INSERT INTO index_queue VALUES (${rows[0]?.id})`.execute(db)
  expect(await find('"entirely new"')).toEqual(['Note 7'])
  await sql`DELETE FROM document_pages WHERE document_id = ${rows[0]?.id}`.execute(db)
  expect(await find('"entirely new"')).toEqual([])
})
