import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/pool.ts'

export type Kind = 'course' | 'title' | 'instructor'
export type Suggested = { text: string; count: number }

/** The most frequent ones are looked at first: what common beginnings find is among them. */
const walked = 2_000
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
  const ofKind = sql`SELECT * FROM suggestions WHERE kind = ${kind}`
  let keys = await take(sql`${ofKind} ORDER BY notes DESC, text LIMIT ${walked}`)
  // OFFSET 0 keeps the order out of the search, so that it is not found by walking.
  if (keys.length < wanted) keys = await take(sql`${ofKind} AND words @@ ${query}::tsquery OFFSET 0`)
  const { rows } = await sql<Suggested>`
    SELECT (array_agg(text ORDER BY notes DESC, text))[1] AS text, sum(notes)::integer AS count
      FROM suggestions WHERE kind = ${kind} AND key = ANY(${keys}::text[])
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
