import type pg from 'pg'
import type { SearchQuery } from '../contract/search.ts'
import type { Db } from '../server/db/pool.ts'
import { createReadWithin, readsOn } from '../server/db/read-within.ts'
import { searchInside } from '../server/search/inside/search-inside.ts'
import { listRelatedNotes } from '../server/search/search.ts'
import { suggest } from '../server/search/suggestions.ts'
import { makeVocabulary } from './fill-pages.ts'
import { recordSql } from './record-sql.ts'

export type Search = { name: string; path: string; run(db: Db): Promise<number> }

/** What people ask for, from frequent to unique. */
export async function planSearches(pool: pg.Pool): Promise<Search[]> {
  const { rows } = await pool.query<{ id: string; user_id: string; text: string }>(
    `SELECT n.id, n.user_id, p.words AS text FROM document_pages p JOIN notes n USING (document_id)
      WHERE p.page = 7 ORDER BY n.id LIMIT 1`,
  )
  const [note] = rows
  if (!note) throw new Error('The library is empty')
  const viewer = { id: note.user_id, role: 'student' } as const
  const vocabulary = makeVocabulary()
  const word = (rank: number) => vocabulary[rank] ?? ''
  const words = note.text.trim().split(' ')

  const inside = (name: string, text: string, more: Partial<SearchQuery> = {}): Search => ({
    name,
    path: `/api/search?${new URLSearchParams({ text, ...more })}`,
    run: async (db) =>
      (await searchInside(readsOn(db, createReadWithin(db, 2)), viewer, { text, sortBy: 'relevance', ...more })).hits
        .length,
  })
  const suggesting = (text: string): Search => ({
    name: `Suggestions for \`${text}\``,
    path: `/api/suggestions?${new URLSearchParams({ text })}`,
    run: async (db) => Object.values(await suggest(createReadWithin(db, 2), viewer, text)).flat().length,
  })
  return [
    inside('The most frequent word', word(0)),
    inside('Three of the most frequent words', `${word(0)} ${word(1)} ${word(2)}`),
    inside('A frequent word', word(300)),
    inside('A seldom word', word(20_000)),
    inside('Two words', `${word(400)} ${word(900)}`),
    inside('Words of a title', 'week eigenvalues'),
    inside('A title and a text', `week ${word(700)}`),
    inside('A course', 'mat 137'),
    inside('A beginning', word(5_000).slice(0, 4)),
    inside('A typing error', 'eigenvaleus'),
    inside('A phrase', `"${words.slice(20, 23).join(' ')}"`),
    inside('A phrase of frequent words', `"${word(0)} ${word(1)} ${word(2)} ${word(3)}"`),
    inside('A word in one course', word(100), { courseCode: 'MAT' }),
    inside('The most frequent word by date', word(0), { sortBy: 'createdAt' }),
    inside('A frequent word by likes', word(300), { sortBy: 'likes' }),
    inside('Nothing to be found', 'zyzzyvaxq qwrtplk'),
    suggesting('m'),
    suggesting('wee'),
    suggesting('mat 13'),
    suggesting('zz'),
    {
      name: 'Related notes',
      path: `/api/notes/${note.id}/related`,
      run: async (db) => (await listRelatedNotes(createReadWithin(db, 2), viewer, note.id)).length,
    },
  ]
}

export type Explained = { found: number; ms: number; plan: string }

type Plan = { 'Node Type': string; 'Relation Name'?: string; 'Index Name'?: string; Plans?: Plan[] }
const runs = 5

/** What PostgreSQL itself takes for each, the median of some runs, and what it reads from. */
export async function explainSearches(pool: pg.Pool, searches: Search[]): Promise<Explained[]> {
  const explained: Explained[] = []
  for (const search of searches) {
    let found = 0
    const statements = await recordSql(pool, async (db) => {
      found = await search.run(db)
    })
    const times: number[] = []
    const read = new Set<string>()
    for (let run = 0; run < runs; run++) {
      let ms = 0
      for (const plan of await explain(pool, statements)) {
        ms += plan['Execution Time'] + plan['Planning Time']
        for (const name of indexesOf(plan.Plan)) read.add(name)
      }
      times.push(ms)
    }
    const median = times.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN
    explained.push({ found, ms: median, plan: [...read].join(', ') })
  }
  return explained
}

type Explanation = { Plan: Plan; 'Execution Time': number; 'Planning Time': number }

/** In one transaction, with the settings that the search itself makes there. */
async function explain(pool: pg.Pool, statements: { text: string; values: unknown[] }[]): Promise<Explanation[]> {
  const client = await pool.connect()
  const plans: Explanation[] = []
  try {
    await client.query('BEGIN')
    for (const { text, values } of statements) {
      if (!/\bFROM\b/.test(text)) {
        if (text.includes('SET LOCAL')) await client.query(text)
        continue
      }
      const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values)
      plans.push(rows[0]['QUERY PLAN'][0])
    }
    await client.query('ROLLBACK')
  } finally {
    client.release()
  }
  return plans
}

/** Indexes, and tables that are read without one. */
function indexesOf(plan: Plan): string[] {
  const own = plan['Index Name'] ?? (plan['Node Type'] === 'Seq Scan' ? `all of ${plan['Relation Name']}` : undefined)
  return [...(own ? [own] : []), ...(plan.Plans ?? []).flatMap(indexesOf)]
}
