import { sql } from 'kysely'
import type { Db } from '../../platform/db/pool.ts'
import { publishedNotes } from '../notes/visible-notes.ts'

/** Maximum number of notes of the course, and of notes that share a subject, that are compared. */
const compared = 150
/** A word that more notes have is too common to be a subject. */
const common = 400
/** Only this many of the rarest subject words are used to find notes. */
const maxSubjects = 8
/** The share of the subjects' weight that a note of another course must have. */
const minShared = 0.25

/**
 * Returns notes of the same course or on the same subjects, the nearest first. Author names are not among the subjects.
 */
export async function findRelated(db: Db, noteId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH note AS MATERIALIZED (
      SELECT n.course_key, n.title_words, s.ranked FROM notes n JOIN note_search s ON s.note_id = n.id WHERE n.id = ${noteId}),
    -- What the text is most about, and the longer words of the title.
    subjects AS MATERIALIZED (
      SELECT lexeme AS word, quote_literal(lexeme)::tsquery AS ranked, quote_literal('*' || lexeme)::tsquery AS query,
             1 / ln(1.5 + w.notes) AS weight, w.notes
        FROM (SELECT lexeme FROM note, unnest(ranked)
               WHERE weights && '{C}' OR ('A' = ANY (weights) AND char_length(lexeme) >= 4)) l
        JOIN search_words w ON w.word = lexeme
       WHERE w.notes BETWEEN 2 AND ${common}),
    candidates AS (
      (SELECT n.id FROM ${publishedNotes} n, note WHERE n.course_key = note.course_key ORDER BY n.created_at DESC, n.id DESC LIMIT ${compared})
      UNION
      (SELECT note_id FROM note_search
        WHERE NOT hidden AND words @@ (SELECT string_agg(query::text, ' | ')::tsquery
                          FROM (SELECT query FROM subjects ORDER BY notes, word LIMIT ${maxSubjects}) w)
        LIMIT ${compared})),
    scored AS (
      SELECT n.id, n.created_at, (n.course_key = note.course_key)::integer AS same_course,
             coalesce((SELECT sum(weight) FROM subjects WHERE s.ranked @@ subjects.ranked) / (SELECT sum(weight) FROM subjects), 0) AS shared
        FROM candidates c JOIN ${publishedNotes} n USING (id) JOIN note_search s ON s.note_id = n.id, note
       WHERE n.id <> ${noteId} OFFSET 0)
    SELECT id FROM scored WHERE same_course = 1 OR shared >= ${minShared}
     ORDER BY shared + 0.5 * same_course DESC, created_at DESC, id DESC LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
