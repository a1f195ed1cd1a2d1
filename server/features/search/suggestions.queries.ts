import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/pool.ts'

export type Kind = 'course' | 'title' | 'instructor'
export type Suggested = { text: string; count: number }

/** The most frequent ones are looked at first: what common beginnings find is among them. */
const walked = 2_000
/** Of those that are less frequent, which hardly differ in that, so many are weighed. */
const collected = 5_000
/** Several spellings are one suggestion. */
const spellings = 3

/** Those that match, the most frequent first. */
export async function findSuggestions(db: Db, kind: Kind, query: string, limit: number): Promise<Suggested[]> {
  const wanted = limit * spellings
  const take = async (source: RawBuilder<unknown>) => {
    const { rows } = await sql<{ key: string }>`
      SELECT key FROM (${source}) s WHERE words @@ ${query}::tsquery ORDER BY notes DESC, text LIMIT ${wanted}`.execute(
      db,
    )
    return rows.map(({ key }) => key)
  }
  // Each kind has an index of words, known by its name.
  const ofKind = sql`SELECT * FROM suggestions WHERE kind = ${sql.lit(kind)}`
  const keys = await take(sql`${ofKind} ORDER BY notes DESC, text LIMIT ${walked}`)
  if (keys.length < wanted) {
    // MATERIALIZED keeps the order and the limit out of the search, so that it is not found by walking.
    const found = sql`WITH found AS MATERIALIZED (${ofKind} AND words @@ ${query}::tsquery) SELECT * FROM found`
    keys.push(...(await take(sql`${found} LIMIT ${collected}`)))
  }
  const { rows } = await sql<Suggested>`
    SELECT (array_agg(text ORDER BY notes DESC, text))[1] AS text, sum(notes)::integer AS count
      FROM suggestions WHERE kind = ${sql.lit(kind)} AND key = ANY(${keys}::text[])
     GROUP BY key ORDER BY count DESC, text LIMIT ${limit}`.execute(db)
  return rows
}

/** Every note has a course: few rows, however many notes there are. */
export async function countCourses(db: Db): Promise<{ notes: number; courses: number }> {
  const { rows } = await sql<{ notes: number; courses: number }>`
    SELECT coalesce(sum(notes), 0)::integer AS notes, count(DISTINCT key)::integer AS courses
      FROM suggestions WHERE kind = 'course'`.execute(db)
  return rows[0] ?? { notes: 0, courses: 0 }
}
