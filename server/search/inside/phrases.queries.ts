import { type RawBuilder, sql } from 'kysely'
import { and } from '../../db/conditions.ts'
import type { Db } from '../../db/pool.ts'
import { shownNotes } from '../../notes/visible-notes.ts'
import { findableWords } from '../sampled.ts'
import type { Term } from './terms.ts'
import { inHead, inOrder } from './tsquery.ts'

/** As the notes of `isSampled`: pages of a sixteenth of all documents have an index of their own. */
const isSampledPage = sql`get_byte(uuid_send(document_id), 0) < 16`
/** Pages with all pairs of words of a phrase, of which most have it. Reading one takes some 15 microseconds. */
const maxPages = 1_500
const maxSampledPages = 400
/** A phrase that so many documents of the sample have is in some 600 or more. */
const frequentInSample = 40
/** Pages with the pairs whose notes are looked at for what else is asked for, before any is read: a microsecond each. */
const maxPaired = 10_000
/** With so many notes that have it in their title, course or instructor, the search is content. */
const maxTitled = 1_000
/** Notes that have all words of a search, and of which many have its phrase, until the search is content. */
const maxRead = 100

export const isPhrase = ({ kind }: Term) => kind === 'phrase'
const together = ({ words }: Term) => ` ${words.join(' ')} `

/** Of a note `n`. */
export const hasPhrase = (term: Term) => sql`(
  ${isTitled(term)}
  OR EXISTS (SELECT FROM document_pages p WHERE p.document_id = n.document_id AND strpos(p.words, ${together(term)}) > 0))`

const isTitled = ({ words }: Term) => {
  const phrase = inOrder(words)
  return sql`(n.title_words @@ ${phrase}::tsquery OR n.instructor_words @@ ${phrase}::tsquery OR n.course_words @@ ${phrase}::tsquery)`
}

/** Pages with all pairs of words of the phrase. OFFSET 0: so many are read, whether they have it or not. */
const withPairs = (phrase: Term, isAmong: RawBuilder<unknown>, limit: number) => sql`
  (SELECT document_id, page, words FROM document_pages
    WHERE word_pairs(words) @> word_pairs(${together(phrase)}) AND ${isAmong} LIMIT ${limit} OFFSET 0)`
const isThere = (phrase: Term) => sql`strpos(p.words, ${together(phrase)}) > 0`

/** The longest, which is the rarest as far as anybody knows. */
const leadingPhrase = (terms: Term[]) =>
  terms.filter(isPhrase).reduce((longest, term) => (term.words.length > longest.words.length ? term : longest))

/** Whether more documents have the phrase than can be collected. */
export async function isPhraseFrequent(db: Db, terms: Term[]): Promise<boolean> {
  const phrase = leadingPhrase(terms)
  const { rows } = await sql<{ found: number }>`
    SELECT count(DISTINCT document_id)::integer AS found
      FROM ${withPairs(phrase, isSampledPage, maxSampledPages)} p WHERE ${isThere(phrase)}`.execute(db)
  return (rows[0]?.found ?? 0) >= frequentInSample
}

/**
 * Ids of notes that have every phrase, and whatever else is looked for.
 * @param withWords ids of notes with all words of all terms.
 * @param narrowed conditions on a note `n`.
 */
export function withPhrase(
  terms: Term[],
  withWords: RawBuilder<unknown>,
  narrowed: RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const phrase = leadingPhrase(terms)
  const isAlone = terms.length === 1 && phrase.compounds.length === 0 && narrowed.length === 0
  const rest = isAlone
    ? sql`true`
    : and([
        sql`n.id IN (${withWords})`,
        ...narrowed,
        ...terms.filter((term) => isPhrase(term) && term !== phrase).map(hasPhrase),
      ])
  return sql`
    WITH titled AS MATERIALIZED (
      SELECT note_id AS id FROM search_entries WHERE ${findableWords} @@ ${inHead([phrase], new Map())}::tsquery LIMIT ${maxTitled}),
    ${isAlone ? onPages(phrase) : onPagesOf(terms, phrase, withWords, narrowed)}
    SELECT n.id FROM titled JOIN notes n USING (id) WHERE ${isTitled(phrase)} AND ${rest}
     UNION
    SELECT n.id FROM on_pages JOIN ${shownNotes} n USING (document_id) WHERE ${rest}`
}

/** Documents with a phrase, of all or, where they are too many, of the sample. */
function onPages(phrase: Term): RawBuilder<unknown> {
  const isFrequent = sql`(SELECT count(*) >= ${frequentInSample} FROM sampled)`
  const documents = (isAmong: RawBuilder<unknown>, limit: number) =>
    sql`SELECT DISTINCT document_id FROM ${withPairs(phrase, isAmong, limit)} p WHERE ${isThere(phrase)}`
  return sql`
    sampled AS MATERIALIZED (${documents(isSampledPage, maxSampledPages)}),
    on_pages AS MATERIALIZED (
      SELECT document_id FROM sampled WHERE ${isFrequent}
       UNION ALL
      SELECT document_id FROM (${documents(sql`true`, maxPages)}) d WHERE NOT ${isFrequent})`
}

/**
 * Documents with a phrase of notes that have all the words. Where very many pages have it, the first of these notes are read:
 * many of them have it too.
 */
function onPagesOf(
  terms: Term[],
  phrase: Term,
  withWords: RawBuilder<unknown>,
  narrowed: RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const areMany = sql`(SELECT count(*) = ${maxSampledPages} FROM sampled)`
  const withAll = sql`(SELECT n.* FROM (${withWords} OFFSET 0) w JOIN notes n USING (id) WHERE ${and(narrowed)} OFFSET 0)`
  return sql`
    sampled AS MATERIALIZED (SELECT FROM ${withPairs(phrase, isSampledPage, maxSampledPages)} p),
    paired AS MATERIALIZED (
      SELECT document_id, page FROM ${withPairs(phrase, sql`true`, maxPaired)} p WHERE NOT ${areMany}),
    on_pages AS MATERIALIZED (
      SELECT DISTINCT document_id FROM (
        SELECT document_id, words FROM ${withAll} n JOIN paired USING (document_id) JOIN document_pages USING (document_id, page)
         LIMIT ${maxPages} OFFSET 0) p WHERE ${isThere(phrase)}
       UNION ALL
      SELECT document_id FROM (SELECT * FROM ${withAll} n LIMIT ${maxRead}) n
       WHERE ${areMany} AND ${and(terms.filter(isPhrase).map(hasPhrase))})`
}
