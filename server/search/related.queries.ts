import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { shownNotes } from '../notes/visible-notes.ts'
import { findableWords, isSampled } from './sampled.ts'

/** Notes of the course, and notes that share a subject, that are compared. */
const compared = 150
/** What is found in more notes tells little of what one is about. */
const common = 400
/** What so many of a sixteenth of all notes have is common: of `common` notes, 25 are expected there. */
const commonInSample = 80
/** The rarest things a note is about find those it is compared with. */
const telling = 8
/** Of what a note is about, what another has to share where it is of another course. */
const leastShared = 0.25

/** Notes of the same course and notes about the same, the nearest first. */
export async function findRelated(db: Db, noteId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH note AS MATERIALIZED (
      SELECT n.course_key, e.ranked FROM notes n JOIN search_entries e ON e.note_id = n.id WHERE n.id = ${noteId}),
    -- What the text is most about, and the longer words of the title.
    subjects AS MATERIALIZED (
      SELECT DISTINCT ltrim(lexeme, '*') AS word, CASE weight WHEN 'A' THEN '!' ELSE '' END || lexeme AS subject
        FROM note, unnest(ranked), unnest(weights) AS weight
       WHERE (weight = 'A' AND char_length(lexeme) >= 4) OR (weight = 'D' AND starts_with(lexeme, '*'))),
    counted AS MATERIALIZED (
      SELECT word, quote_literal(subject)::tsquery AS query, frequency
        FROM subjects, LATERAL (${howMany(sql`${isSampled} LIMIT ${commonInSample}`)}) sampled (found),
             LATERAL (${howMany(sql`found < ${commonInSample} LIMIT ${common}`)}) everywhere (frequency)),
    weighed AS MATERIALIZED (
      SELECT query, quote_literal(word)::tsquery AS word, 1 / ln(1.5 + frequency) AS weight, frequency
        FROM counted WHERE frequency BETWEEN 2 AND ${common} - 1),
    candidates AS (
      (SELECT n.id FROM ${shownNotes} n, note WHERE n.course_key = note.course_key ORDER BY n.created_at DESC, n.id DESC LIMIT ${compared})
      UNION
      (SELECT note_id FROM search_entries
        WHERE ${findableWords} @@ (SELECT string_agg(query::text, ' | ')::tsquery
                          FROM (SELECT query FROM weighed ORDER BY frequency, query LIMIT ${telling}) w)
        LIMIT ${compared})),
    scored AS (
      SELECT n.id, n.created_at, (n.course_key = note.course_key)::integer AS same_course,
             coalesce((SELECT sum(weight) FROM weighed WHERE e.ranked @@ word) / (SELECT sum(weight) FROM weighed), 0) AS shared
        FROM candidates c JOIN notes n USING (id) JOIN search_entries e ON e.note_id = n.id, note
       WHERE n.id <> ${noteId} OFFSET 0)
    SELECT id FROM scored WHERE same_course = 1 OR shared >= ${leastShared}
     ORDER BY shared + 0.5 * same_course DESC, created_at DESC, id DESC LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many notes have a subject. */
const howMany = (among: RawBuilder<unknown>) => sql`
  SELECT count(*) FROM (SELECT FROM search_entries WHERE ${findableWords} @@ quote_literal(subject)::tsquery AND ${among}) s`
