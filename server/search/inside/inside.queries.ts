import { type RawBuilder, sql } from 'kysely'
import { maxSnippets, type SearchQuery } from '../../../contract/search.ts'
import { wordForms } from '../../../contract/word-forms.ts'
import { and } from '../../db/conditions.ts'
import type { Db } from '../../db/pool.ts'
import { afterCursor } from '../../notes/note-order.ts'
import { shownNotes } from '../../notes/visible-notes.ts'
import { findableWords, isSampled } from '../sampled.ts'
import { matching } from '../search.queries.ts'
import type { Cursor } from './cursor.ts'
import { hasPhrase, isPhrase, isPhraseFrequent, withPhrase } from './phrases.queries.ts'
import type { Term } from './terms.ts'
import {
  type Corrections,
  inFiltered,
  inHead,
  inNote,
  inOrder,
  inTopics,
  inWords,
  isBeginning,
  pointsOfText,
  ranks,
} from './tsquery.ts'

/** So many notes are weighed for the order by relevance, those with the words in their titles first, then those about them. */
const maxWeighed = 200

export type Found = { id: string; createdAt: Date; likes: number; score: number; passages: Passage[] }
/** A page on which something was found. */
export type Passage = { page: number; text: string }
export type Search = { terms: Term[]; corrections: Corrections; filters: SearchQuery }

/**
 * The plan of a usual search is the same whatever is typed, so that it is prepared. Its statements are few: they differ in the
 * number of terms, and not in their kinds, of which each has as many ranks and texts as any.
 */
const usual = { terms: 4, ranks: 8, texts: 6 }

/**
 * The notes found, after the cursor, in the order asked for, each with some of its pages.
 * @param exactIds all that is found without the corrections, where that is known.
 */
export function findMatches(
  db: Db,
  search: Search,
  cursor: Cursor | null,
  limit: number,
  exactIds?: string[],
): Promise<Found[]> {
  const { sortBy } = search.filters
  const isWeighed = sortBy === 'relevance'
  // Found without its corrections, a note comes before those that are found by them.
  const exact = search.corrections.size > 0 && isWeighed ? { ...search, corrections: new Map() } : null
  const exactNotes = exact && (exactIds ? sql`SELECT unnest(${exactIds}::uuid[]) AS id` : weighed(exact))
  const score = isWeighed
    ? sql`(${scoreOf(search)} + ${exact ? sql`CASE WHEN n.id IN (SELECT id FROM exact) THEN 100000 ELSE 0 END` : sql`0`})`
    : sql`0`
  const source = sql`
    WITH ${exactNotes ? sql`exact AS MATERIALIZED (${exactNotes}),` : sql``}
    found AS MATERIALIZED (${isWeighed ? weighed(search) : all(search)}),
    scored AS (
      SELECT n.id, n.created_at, n.likes, ${score}::integer AS score
        FROM found JOIN notes n ON n.id = found.id ${isWeighed ? sql`JOIN search_entries e ON e.note_id = n.id` : sql``})
    SELECT * FROM scored n WHERE ${after(sortBy, cursor)} ORDER BY ${orders[sortBy]} LIMIT ${sql.lit(limit)}`
  return readFound(db, search, source)
}

/** Searches by relevance of some words, perhaps in a course or a year, or of one phrase. */
export function isUsual({ terms, corrections, filters }: Search): boolean {
  const { sortBy, courseCode, academicYear, title, instructor } = filters
  const isOrdinary = (term: Term) =>
    ranks(term, corrections).length <= usual.ranks && textsOf(term).length <= usual.texts
  if (sortBy !== 'relevance' || title || instructor || !terms.every(isOrdinary)) return false
  return terms.some(isPhrase) ? terms.length === 1 && !courseCode && !academicYear : terms.length <= usual.terms
}

/** With nulls, which match nothing and cost nothing, up to a usual number. */
const filled = <T>(values: T[], count: number): (T | null)[] => [
  ...values,
  ...Array<null>(Math.max(0, count - values.length)).fill(null),
]

const orders = {
  relevance: sql`score DESC, created_at DESC, id DESC`,
  createdAt: sql`created_at DESC, id DESC`,
  likes: sql`likes DESC, id DESC`,
}

/** What so many of the sample have is sooner met by walking than collected and put into its order. */
const frequent = 125
/** Reading the words of a note takes some 60 microseconds. */
const maxWalked = 300

/** Whether so many notes have the words, some 2,000 or more, that walking is worth a try. */
export async function isFrequent(db: Db, { terms, corrections }: Search): Promise<boolean> {
  if (terms.some(isPhrase)) return isPhraseFrequent(db, terms)
  const { rows } = await sql<{ found: number }>`
    SELECT count(*)::integer AS found FROM (
      SELECT FROM search_entries WHERE ${findableWords} @@ ${inNote(terms, corrections)}::tsquery AND ${isSampled} LIMIT ${frequent}) e`.execute(
    db,
  )
  return rows[0]?.found === frequent
}

/** As `findMatches`, of the next few hundred notes in the order of date or likes. */
export function walkMatches(db: Db, search: Search, cursor: Cursor | null, limit: number): Promise<Found[]> {
  const { terms, corrections, filters } = search
  const order = orders[filters.sortBy]
  // OFFSET 0: each note's words are looked at in turn, until the page is full.
  const source = sql`
    SELECT n.id, created_at, likes, 0 AS score
      FROM (SELECT * FROM ${shownNotes} n WHERE ${after(filters.sortBy, cursor)} ORDER BY ${order} LIMIT ${maxWalked}) n,
           LATERAL (SELECT words FROM search_entries WHERE note_id = n.id OFFSET 0) e
     WHERE ${and(narrowing(filters))} AND e.words @@ ${inWords(inNote(terms, corrections))}::tsquery
       AND ${and(terms.filter(isPhrase).map(hasPhrase))} ORDER BY ${order} LIMIT ${limit}`
  return readFound(db, search, source)
}

/** Taking so many from an index of an order is sooner done than reading the words of a thousand. */
const maxAhead = 20_000

/**
 * As `findMatches`, of the next thousands of notes in the order of date or likes, which an index has. What has the words is taken
 * from the index of words, and no note has to be looked up but for a filter, and to be shown.
 */
export function findAhead(db: Db, search: Search, cursor: Cursor | null, limit: number): Promise<Found[]> {
  const { sortBy } = search.filters
  const key = sql.ref(sortBy === 'likes' ? 'likes' : 'created_at')
  // IS TRUE, and a limit of what is found that cuts nothing: so each set is hashed, and the other one looked up in it. PostgreSQL
  // does not know how many have the words, and would compare each with each.
  const isAhead = sql`(note_id IN (SELECT id FROM ahead)) IS TRUE`
  const source = sql`
    WITH ahead AS MATERIALIZED (
      SELECT n.id, n.${key} FROM ${shownNotes} n
       WHERE ${after(sortBy, cursor)} ORDER BY ${orders[sortBy]} LIMIT ${sql.lit(maxAhead)}),
    found AS MATERIALIZED (${part(search, inNote(search.terms, search.corrections), maxAhead, isAhead)}),
    page AS (
      SELECT id FROM ahead WHERE (id IN (SELECT id FROM found)) IS TRUE ORDER BY ${orders[sortBy]} LIMIT ${sql.lit(limit)})
    SELECT id, created_at, likes, 0 AS score FROM page JOIN notes n USING (id) ORDER BY ${orders[sortBy]}`
  return readFound(db, search, source)
}

/** Whether a search finds anything at all. */
export async function findsAny(db: Db, search: Search): Promise<boolean> {
  const { rows } = await sql`${part(search, inNote(search.terms, search.corrections), 1)}`.execute(db)
  return rows.length > 0
}

function after(sortBy: SearchQuery['sortBy'], cursor: Cursor | null): RawBuilder<unknown> {
  if (!cursor) return sql`true`
  const { score, createdAt, likes, id } = cursor
  if (sortBy !== 'relevance')
    return and(afterCursor({ sortBy, cursorId: id, cursorValue: sortBy === 'likes' ? String(likes) : createdAt }))
  // As a date, as `afterCursor` does.
  return sql`(score, created_at, id) < (${score}::integer, ${new Date(createdAt)}::timestamptz, ${id}::uuid)`
}

/** All that match. */
const all = (search: Search) => part(search, inNote(search.terms, search.corrections), null)

/** Those that match best, as far as the index tells, and no more than can be weighed at once. */
function weighed(search: Search): RawBuilder<unknown> {
  const { terms, corrections } = search
  const all = inNote(terms, corrections)
  if (terms.some(isPhrase)) return part(search, all, maxWeighed)
  // From the widest on: where all that is found can be weighed, nothing else has to be looked for. Words of texts that what was
  // typed may begin are many, and where whole words fill the weighing they are worth no more.
  const whole = inNote(
    terms.map((term) => ({ ...term, isOpen: false })),
    corrections,
  )
  const isFull = (kind: string) => sql`(SELECT count(*) FROM ${sql.raw(kind)}) = ${sql.lit(maxWeighed)}`
  /** As far as its sixteenth of all notes tells. */
  const isLikelyFull = (kind: string) =>
    sql`16 * (SELECT count(*) FROM ${sql.raw(`${kind}_sample`)}) >= ${sql.lit(maxWeighed)}`
  const kind = (name: string, query: string, isWanted: RawBuilder<unknown>, isWorth = sql`true`) => {
    const [own, sample] = [sql.raw(name), `${name}_sample`]
    return sql`
      ${sql.raw(sample)} AS MATERIALIZED (
        SELECT id FROM (${part(search, query, maxWeighed, isSampled)}) s WHERE ${isWanted}),
      ${own} AS MATERIALIZED (
        SELECT id FROM ${sql.raw(sample)} WHERE ${isFull(sample)}
        UNION ALL
        SELECT id FROM (${part(search, query, maxWeighed)}) a WHERE ${isWanted} AND ${isWorth} AND NOT ${isFull(sample)})`
  }
  return sql`
    WITH ${kind('whole', whole, sql`${whole !== all}`, isLikelyFull('whole'))},
    ${kind('anywhere', all, sql`NOT ${isFull('whole')}`)},
    ${kind('about', inTopics(terms, corrections), sql`(${isFull('whole')} OR ${isFull('anywhere')})`)},
    ${kind('titled', inHead(terms, corrections), isFull('about'))}
    SELECT id FROM titled
     UNION SELECT id FROM about WHERE NOT ${isFull('titled')}
     UNION SELECT id FROM anywhere WHERE NOT ${isFull('about')}
     UNION SELECT id FROM whole WHERE NOT ${isFull('about')}`
}

/** @param among a condition on the rows of the index. */
function part({ terms, filters }: Search, query: string, limit: number | null, among = sql`true`): RawBuilder<unknown> {
  const narrowed = narrowing(filters)
  const withWords = sql`
    SELECT note_id AS id FROM search_entries WHERE ${findableWords} @@ ${inFiltered(query, filters)}::tsquery AND ${among}`
  const cut = limit === null ? sql`` : sql`LIMIT ${sql.lit(limit)}`
  if (terms.some(isPhrase)) return sql`SELECT id FROM (${withPhrase(terms, withWords, narrowed)}) w ${cut}`
  if (narrowed.length === 0) return sql`${withWords} ${cut}`
  // OFFSET 0: or words are looked for in note after note of those that are left by the filters.
  return sql`SELECT n.id FROM (${withWords} OFFSET 0) w JOIN notes n USING (id) WHERE ${and(narrowed)} ${cut}`
}

/** The filters, as conditions on a note `n`. */
const narrowing = (filters: SearchQuery): RawBuilder<unknown>[] => [
  ...matching(filters),
  ...(filters.academicYear ? [sql`n.academic_year = ${filters.academicYear}`] : []),
]

/** How well a note is found: what its terms are worth on average, and more for a title that is what was typed. */
function scoreOf({ terms, corrections }: Search): RawBuilder<unknown> {
  const points = terms.map((term) => {
    const cases = filled(ranks(term, corrections), usual.ranks).map(
      (rank) => sql`WHEN e.ranked @@ ${rank?.query ?? null}::tsquery THEN ${rank?.points ?? null}::real`,
    )
    return sql`CASE ${sql.join(cases, sql` `)} ELSE ${sql.lit(pointsOfText)}::real END`
  })
  const words = terms.flatMap((term) => term.words)
  const all = words.map((word) => `'${word}':*`).join(' & ')
  const bonus = sql`
    CASE WHEN n.title_words @@ ${all}::tsquery
         THEN 300 / greatest(1, length(n.title_words)) + CASE WHEN n.title_words @@ ${inOrder(words)}::tsquery THEN 100 ELSE 0 END
         ELSE 0 END`
  return sql`(100 * (${sql.join(points, sql` + `)}) / ${sql.lit(terms.length)} + ${bonus})`
}

/** Of each note. */
const maxPassages = maxSnippets
/** Pages looked at for those with most terms. Reading one takes some 15 microseconds. */
const maxPages = 10

/** Notes with the pages on which something was found, those with most of it first. @param source ids with what orders them. */
async function readFound(db: Db, { terms, filters }: Search, source: RawBuilder<unknown>): Promise<Found[]> {
  const count = sql.join(
    terms.map((term) => sql`coalesce(${hasTerm(term)}, false)::integer`),
    sql` + `,
  )
  // OFFSET 0, and `|| ''`: the words of a page lie apart from it, and are fetched and unpacked once for all that is asked of them.
  const { rows } = await sql<Omit<Found, 'passages'> & { page: number | null; text: string }>`
    SELECT id, created_at AS "createdAt", likes, score, best.page, best.text
      FROM (${source}) f JOIN (SELECT id, document_id FROM notes) n USING (id) LEFT JOIN LATERAL (
        SELECT * FROM (
          SELECT * FROM (
            SELECT page, text, ${count} AS terms FROM (
              SELECT page, text, words || '' AS words FROM document_pages
               WHERE document_id = n.document_id ORDER BY page OFFSET 0) p
            OFFSET 0) p
           WHERE terms > 0 LIMIT ${sql.lit(terms.length > 1 ? maxPages : maxPassages)}) p
         ORDER BY terms DESC, page LIMIT ${sql.lit(maxPassages)}) best ON true
     ORDER BY ${orders[filters.sortBy]}, best.terms DESC, best.page`.execute(db)
  const notes = new Map<string, Found>()
  for (const { page, text, ...row } of rows) {
    const note = notes.get(row.id) ?? { ...row, passages: [] }
    if (page !== null) note.passages.push({ page, text })
    notes.set(row.id, note)
  }
  return [...notes.values()]
}

/** Whether a page has it. What is marked in its text is looked for there once more. */
const hasTerm = (term: Term): RawBuilder<unknown> =>
  sql.join(
    filled(textsOf(term), usual.texts).map((text) => sql`strpos(p.words, ${text}) > 0`),
    sql` OR `,
  )

function textsOf(term: Term): string[] {
  const { kind, words, compounds } = term
  const together = ` ${words.join(' ')} `
  const word = words[0] ?? ''
  return {
    phrase: [together],
    signs: compounds.map((sign) => ` ${sign} `),
    course: [...compounds.map((course) => ` ${course}`), together],
    word: [...wordForms(word).map((form) => ` ${form} `), ...(isBeginning(term, word) ? [` ${word}`] : [])],
  }[kind]
}
