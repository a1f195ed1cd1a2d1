import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/pool.ts'

export type Kind = 'course' | 'title' | 'instructor'
export type Suggested = { text: string; count: number }

/** The most frequent suggestions are scanned first, which is enough for common prefixes. */
const walked = 2_000
/** Maximum number of less frequent suggestions that are sorted; their frequencies hardly differ. */
const collected = 5_000
/** Several spellings are merged into one suggestion, so more rows are read. */
const spellings = 3

/** Returns the matching suggestions, the most frequent first. */
export async function findSuggestions(db: Db, kind: Kind, query: string, limit: number): Promise<Suggested[]> {
  const wanted = limit * spellings
  const take = async (source: RawBuilder<unknown>) => {
    const { rows } = await sql<{ key: string }>`
      SELECT key FROM (${source}) s WHERE words @@ ${query}::tsquery ORDER BY notes DESC, text LIMIT ${wanted}`.execute(
      db,
    )
    return rows.map(({ key }) => key)
  }
  // The kind is a literal because each kind has its own partial index of words.
  const ofKind = sql`SELECT * FROM suggestions WHERE kind = ${sql.lit(kind)}`
  const keys = await take(sql`${ofKind} ORDER BY notes DESC, text LIMIT ${walked}`)
  if (keys.length < wanted) {
    // MATERIALIZED separates the order and the limit from the search, so that PostgreSQL does not choose an ordered
    // scan.
    const found = sql`WITH found AS MATERIALIZED (${ofKind} AND words @@ ${query}::tsquery) SELECT * FROM found`
    keys.push(...(await take(sql`${found} LIMIT ${collected}`)))
  }
  const { rows } = await sql<Suggested>`
    SELECT (array_agg(text ORDER BY notes DESC, text))[1] AS text, sum(notes)::integer AS count
      FROM suggestions WHERE kind = ${sql.lit(kind)} AND key = ANY(${keys}::text[])
     GROUP BY key ORDER BY count DESC, text LIMIT ${limit}`.execute(db)
  return rows
}

/** Counts notes and courses from the suggestions. Every note has a course, and the rows are few. */
export async function countCourses(db: Db): Promise<{ notes: number; courses: number }> {
  const { rows } = await sql<{ notes: number; courses: number }>`
    SELECT coalesce(sum(notes), 0)::integer AS notes, count(DISTINCT key)::integer AS courses
      FROM suggestions WHERE kind = 'course'`.execute(db)
  return rows[0] ?? { notes: 0, courses: 0 }
}
