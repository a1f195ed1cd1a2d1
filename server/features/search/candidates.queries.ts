import { type RawBuilder, sql } from 'kysely'
import { maxMatchingPages, maxSnippets, type SortKey } from '../../../packages/contract/search.ts'
import type { Db } from '../../platform/db/pool.ts'
import { and } from '../../platform/db/sql.ts'
import { orderColumns, publishedNotes } from '../notes/visible-notes.ts'
import { type FilterKey, matchesFilterKeys, quoted, toFilterConditions } from './filters.ts'
import type { Candidate, Weighed } from './ranking.ts'

/** Maximum number of notes that are scored; notes with the words in their titles come first. */
export const maxFromShortRow = 200
const maxFromText = 300
const maxAuthors = 100
/** If fewer notes have all words, notes with most of the words are added. */
export const minFull = 20
/** Maximum number of `note_search` rows whose texts are checked for excluded words. */
const maxProbed = 1_000
/** Maximum number of pages with a phrase that are read. */
const maxPages = 2_000

/** The restrictions of a search, as lexemes of the index. */
export type Narrowing = {
  /** What `note_keys` has, matched on `note_search.words` and `note_text.words`. */
  inBothRows: string[]
  /** Authors and excluded operators, matched on `note_search.words` only. */
  inShortRow: string[]
  filter: FilterKey[]
  phrases: string[][]
  excluded: { forms: string[][]; phrase: string | null }[]
  /** Ids of the notes that are searched; null for all notes. */
  ids: string[] | null
}

/** Condition on rows that name a note. With few ids PostgreSQL reads only their rows, not all rows of a common word. */
const isOfIds = ({ ids }: Narrowing, noteId = sql`note_id`) =>
  ids === null ? sql`true` : sql`${noteId} = ANY (${ids}::uuid[])`

const anyOf = (prefix: string, forms: string[]) => `(${forms.map((form) => quoted(prefix + form)).join(' | ')})`
const formsOf = (term: Weighed) => term.forms.map(({ form }) => form)
/** The prefixes of lexemes: in `note_search.words` of title, author, and any field or topic; in `note_text.words`. */
const prefixes = { title: 't', author: 'a', any: '*', text: '=' }

/** A `tsquery` that requires every word. */
const allAt = (prefix: string, terms: Weighed[]) => terms.map((term) => anyOf(prefix, formsOf(term))).join(' & ')

/** Condition on rows `s` of `note_search`. */
function isAmong(narrowing: Narrowing): RawBuilder<unknown> {
  const { inBothRows, inShortRow, filter, excluded } = narrowing
  const query = [...inBothRows, ...inShortRow].join(' & ')
  const without = excluded.map(({ forms, phrase }) => {
    const [onShortRow, onText] = [prefixes.any, prefixes.text].map((prefix) =>
      forms.map((each) => anyOf(prefix, each)).join(' & '),
    )
    const words = sql`(s.words @@ ${onShortRow}::tsquery OR EXISTS (
      SELECT FROM note_text x WHERE x.note_id = s.note_id AND x.words @@ ${onText}::tsquery))`
    return phrase === null ? sql`NOT ${words}` : sql`NOT (${words} AND ${hasPhrase(phrase)})`
  })
  const words = query ? sql`s.words @@ ${query}::tsquery` : sql`true`
  return and([sql`NOT s.hidden`, isOfIds(narrowing, sql`s.note_id`), words, toFilterConditions(filter), ...without])
}

/**
 * Condition: the phrase is on a page, in the title, course or instructor, or its words, in any order, in the name of the
 * author of note `s`.
 */
function hasPhrase(phrase: string): RawBuilder<unknown> {
  const words = phrase.split(' ')
  const inOrder = words.map(quoted).join(' <-> ')
  const inName = words.map((word) => quoted(prefixes.author + word)).join(' & ')
  return sql`(s.words @@ ${inName}::tsquery OR EXISTS (
    SELECT FROM notes p WHERE p.id = s.note_id AND (
      p.title_words @@ ${inOrder}::tsquery OR p.course_words @@ ${inOrder}::tsquery OR p.instructor_words @@ ${inOrder}::tsquery
      OR EXISTS (SELECT FROM document_pages d WHERE d.document_id = p.document_id AND strpos(d.words, ${` ${phrase} `}) > 0))))`
}

/**
 * Note ids for FROM. They are read in the same statement as the data of the notes, so both are of the same snapshot.
 */
export type Source = RawBuilder<unknown>

/** Selects notes with all required words, first those that have them in title, course, instructor or author. */
export function withAllWords(terms: Weighed[], narrowing: Narrowing): Source {
  const at = (prefix: string) => [allAt(prefix, terms), ...narrowing.inBothRows].join(' & ')
  const onShortRow = (prefix: string) => [at(prefix), ...narrowing.inShortRow].join(' & ')
  const among = isAmong(narrowing)
  return sql`
    WITH s0 AS MATERIALIZED (
      SELECT note_id FROM note_search s WHERE words @@ ${onShortRow(prefixes.title)}::tsquery AND ${among} LIMIT ${maxFromShortRow}),
    s1 AS MATERIALIZED (
      SELECT note_id FROM note_search s WHERE words @@ ${onShortRow(prefixes.any)}::tsquery AND ${among}
         AND (SELECT count(*) FROM s0) < ${maxFromShortRow} LIMIT ${maxFromShortRow}),
    s2 AS MATERIALIZED (
      SELECT note_id FROM note_text x WHERE words @@ ${at(prefixes.text)}::tsquery AND ${isOfIds(narrowing)}
         AND (SELECT ${among} FROM note_search s WHERE s.note_id = x.note_id)
         AND (SELECT count(*) FROM s0) + (SELECT count(*) FROM s1) < ${maxFromShortRow} LIMIT ${maxFromText})
    SELECT note_id AS id FROM s0 UNION SELECT note_id FROM s1 UNION SELECT note_id FROM s2`
}

/** Selects the newest and the most liked notes when very many titles have the words, so that these are scored too. */
export function newestAndMostLiked(terms: Weighed[], narrowing: Narrowing): Source {
  const title = [allAt(prefixes.title, terms), ...narrowing.inBothRows, ...narrowing.inShortRow].join(' & ')
  const among = isAmong(narrowing)
  return sql`
    (SELECT note_id AS id FROM (
       SELECT * FROM note_search WHERE NOT hidden ORDER BY created_at DESC, note_id DESC LIMIT 5000) s
      WHERE words @@ ${title}::tsquery AND ${among} LIMIT 100)
    UNION
    (SELECT id FROM (SELECT id FROM ${publishedNotes} n ORDER BY likes DESC, id DESC LIMIT 500) l
      WHERE (SELECT words @@ ${title}::tsquery AND ${among} FROM note_search s WHERE s.note_id = l.id) LIMIT 100)`
}

/** Selects notes with every phrase and all required words. */
export function withPhrases(terms: Weighed[], narrowing: Narrowing): Source {
  const phrases = narrowing.phrases.map((words) => words.join(' '))
  const [longest = ''] = phrases.toSorted((a, b) => b.length - a.length)
  const inPhrase = new Set(narrowing.phrases.flat())
  const notesOf = (isIn: boolean) =>
    Math.min(...terms.filter(({ word }) => inPhrase.has(word) === isIn).map(({ notes }) => notes))
  const words = [allAt(prefixes.text, terms), ...narrowing.inBothRows].join(' & ')
  const withWords = sql`SELECT note_id FROM note_text WHERE words @@ ${words}::tsquery AND ${isOfIds(narrowing)}`
  const inTitle = longest.split(' ').map((word) => quoted(prefixes.title + word))
  const titled = sql`
    SELECT note_id FROM note_search WHERE words @@ ${[...inTitle, ...narrowing.inShortRow].join(' & ')}::tsquery AND ${isOfIds(narrowing)}`
  const hasWords = sql`(s.words @@ ${allAt(prefixes.any, terms)}::tsquery OR EXISTS (
    SELECT FROM note_text x WHERE x.note_id = s.note_id AND x.words @@ ${words}::tsquery))`
  // If other words are rarer or the notes are few, the phrase is searched only on the pages of notes with these words.
  const withPages = sql`
    SELECT n.id FROM (
      SELECT DISTINCT document_id FROM (
        SELECT document_id, words FROM document_pages WHERE word_pairs(words) @> word_pairs(${` ${longest} `}) LIMIT ${maxPages}) d
       WHERE strpos(words, ${` ${longest} `}) > 0) d JOIN ${publishedNotes} n USING (document_id)
      JOIN note_text x ON x.note_id = n.id AND x.words @@ ${words}::tsquery`
  const isOnFew = narrowing.ids !== null || notesOf(false) < notesOf(true)
  const found = isOnFew ? sql`${withWords} LIMIT ${maxProbed}` : withPages
  return sql`
    SELECT s.note_id AS id FROM note_search s JOIN ((${titled} LIMIT ${maxProbed}) UNION (${found})) f (note_id) USING (note_id)
     WHERE ${isAmong(narrowing)} AND ${hasWords} AND ${and(phrases.map(hasPhrase))} LIMIT ${maxFromText}`
}

/** Selects notes that have enough of the words, and notes whose author's name is among the words. */
export function withSomeWords(sets: Weighed[][], terms: Weighed[], narrowing: Narrowing): Source {
  const among = isAmong(narrowing)
  const names = anyOf(prefixes.author, terms.flatMap(formsOf))
  const query = [`(${sets.map((set) => `(${allAt(prefixes.text, set)})`).join(' | ')})`, ...narrowing.inBothRows].join(
    ' & ',
  )
  const ofText = sql`
    (SELECT note_id AS id FROM note_text x
      WHERE words @@ ${query}::tsquery AND ${isOfIds(narrowing)}
        AND (SELECT ${among} FROM note_search s WHERE s.note_id = x.note_id) LIMIT ${maxFromText}) UNION`
  // Without MATERIALIZED, PostgreSQL may read all notes in the order of their ids, because it expects many authors.
  return sql`
    WITH named AS MATERIALIZED (SELECT note_id AS id FROM note_search s WHERE words @@ ${names}::tsquery AND ${among})
    ${sets.length > 0 ? ofText : sql``}
    (SELECT id FROM named LIMIT ${maxAuthors})`
}

/** Selects notes whose title is made of stop words, all of which are in the query or which include the whole query. */
export const withStopWordTitle = (words: string[], narrowing: Narrowing): Source => sql`
  SELECT s.note_id AS id FROM note_search s, LATERAL (
    SELECT array_agg(lexeme) AS title FROM unnest(s.ranked) WHERE weights && '{A}') t
   WHERE words @@ ${`'!' & ${anyOf(prefixes.title, words)}`}::tsquery AND ${isAmong(narrowing)}
     AND (title <@ ${words}::text[] OR title @> ${words}::text[]) LIMIT ${maxFromShortRow}`

/** Counts the notes of a source, up to a limit. */
export async function countNotes(db: Db, source: Source, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM (SELECT FROM (${source}) f LIMIT ${limit}) f`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Reads the data of notes that the score needs.
 * @param haveAllWords whether all notes have all required words; otherwise the text of each note is checked.
 */
export async function readCandidates(
  db: Db,
  source: Source,
  terms: Weighed[],
  haveAllWords: boolean,
): Promise<Candidate[]> {
  const forms = [...new Set(terms.flatMap(formsOf))]
  const queries = terms.map((term) => anyOf(prefixes.text, formsOf(term)))
  // `|| ''` decompresses the column once for all terms.
  const text = sql`(SELECT words || ''::tsvector AS words FROM note_text t WHERE t.note_id = n.id OFFSET 0)`
  const inText = sql`ARRAY(
    SELECT coalesce(x.words @@ query::tsquery, false) FROM unnest(${queries}::text[]) WITH ORDINALITY AS q (query, at) ORDER BY at)`
  const { rows } = await sql<Omit<Candidate, 'ranked'> & { ranked: string[] }>`
    SELECT n.id, n.created_at AS "createdAt", n.is_anonymous AS "isAnonymous", n.likes, s.title_length AS "titleLength",
           coalesce((SELECT pg_column_size(words) FROM note_text t WHERE t.note_id = n.id), 0) AS "textBytes",
           ARRAY(SELECT lexeme || ' ' || array_to_string(weights, '') || ' ' || positions[1]
                   FROM unnest(s.ranked || ''::tsvector) WHERE lexeme = ANY (${forms}::text[])) AS ranked,
           ${haveAllWords ? sql`NULL` : inText} AS "inText"
      FROM (SELECT id FROM (${source}) f OFFSET 0) f JOIN ${publishedNotes} n USING (id) JOIN note_search s ON s.note_id = n.id
      ${haveAllWords ? sql`` : sql`LEFT JOIN LATERAL ${text} x ON true`}`.execute(db)
  return rows.map((row) => ({
    ...row,
    ranked: new Map(
      row.ranked.map((each) => {
        const [word = '', weights = '', position] = each.split(' ')
        return [word, { weights, position: Number(position) }]
      }),
    ),
  }))
}

/** So many notes are scanned in their order for each note to return, before the index of words is used. */
const scannedPerNote = 40
/** Without words, every page scans so many, so that a later page finds what the first one counted. */
export const scannedWithoutWords = 2_500

/**
 * Returns the next notes with all required words, ordered by date or likes. A search that only excludes is answered from
 * the next notes alone.
 */
export async function findInOrder(
  db: Db,
  terms: Weighed[],
  narrowing: Narrowing,
  { sortBy, after, limit }: { sortBy: SortKey; after: RawBuilder<unknown>[]; limit: number },
): Promise<Candidate[]> {
  const order = orderColumns(sortBy)
  const take = (source: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
    readCandidates(
      db,
      sql`SELECT n.id FROM ${source} WHERE ${and([...after, condition])} ORDER BY ${order} LIMIT ${limit}`,
      [],
      true,
    )
  if (narrowing.phrases.length > 0) {
    const found = withPhrases(terms, narrowing)
    if ((await countNotes(db, found, maxFromText)) < maxFromText)
      return take(sql`${publishedNotes} n`, sql`n.id IN (${found})`)
  }
  const isMatch = and([isAmong(narrowing), ...narrowing.phrases.map((words) => hasPhrase(words.join(' ')))])
  const [onText, onShortRow] = [prefixes.text, prefixes.any].map((prefix) =>
    [allAt(prefix, terms), ...narrowing.inBothRows].join(' & '),
  )
  const hasWords = sql`(s.words @@ ${onShortRow}::tsquery OR EXISTS (
    SELECT FROM note_text x WHERE x.note_id = n.id AND x.words @@ ${onText}::tsquery))`
  const scanned = terms.length === 0 ? scannedWithoutWords : scannedPerNote * limit
  const next = sql`(SELECT * FROM ${publishedNotes} n WHERE ${and(after)} ORDER BY ${order} LIMIT ${scanned})`
  const near = await take(
    sql`${next} n JOIN note_search s ON s.note_id = n.id`,
    terms.length === 0 ? isMatch : and([hasWords, isMatch]),
  )
  if (near.length === limit) return near
  if (terms.length === 0) {
    if (!isNarrow(narrowing)) return near
    const found = sql`(SELECT note_id AS id, created_at FROM note_search s
                        WHERE ${isMatch} AND ${matchesFilterKeys(narrowing.filter)} OFFSET 0)`
    // OFFSET 0 prevents a scan of all notes for the likes of few.
    const withLikes = sql`${found} f, LATERAL (SELECT id, likes FROM ${publishedNotes} p WHERE p.id = f.id OFFSET 0) n`
    return take(sortBy === 'createdAt' ? sql`${found} n` : withLikes, sql`true`)
  }
  const found = sql`SELECT note_id FROM note_text WHERE words @@ ${onText}::tsquery AND ${isOfIds(narrowing)}
                     UNION SELECT note_id FROM note_search WHERE words @@ ${onShortRow}::tsquery AND ${isOfIds(narrowing)}`
  return take(
    sql`(${found} OFFSET 0) f JOIN note_search s USING (note_id) JOIN ${publishedNotes} n ON n.id = s.note_id`,
    isMatch,
  )
}

/** Whether the search without its words has a condition that an index answers. */
export const isNarrow = ({ ids, inBothRows, inShortRow, filter }: Narrowing) =>
  ids !== null || filter.length > 0 || [...inBothRows, ...inShortRow].some((condition) => !condition.startsWith('!'))

/** A page with a match. */
export type Passage = { page: number; text: string }
export type Passages = { passages: Passage[]; matchingPages: number }
const escaped = (form: string) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Returns the pages of each note with most of the words and phrases. @param groups the forms of each word. */
export async function findPassages(
  db: Db,
  ids: string[],
  groups: string[][],
  phrases: string[][],
): Promise<Map<string, Passages>> {
  const has = [
    ...groups.map((forms) => sql`(words ~ ${` (${forms.map(escaped).join('|')}) `})::integer`),
    ...phrases.map((words) => sql`4 * (strpos(words, ${` ${words.join(' ')} `}) > 0)::integer`),
  ]
  if (has.length === 0) return new Map()
  const { rows } = await sql<Passage & { id: string; matchingPages: number }>`
    SELECT n.id, best.page, best.text, best."matchingPages" FROM ${publishedNotes} n, LATERAL (
      SELECT *, (count(*) OVER ())::integer AS "matchingPages" FROM (
        SELECT * FROM (
          SELECT page, text, ${sql.join(has, sql` + `)} AS terms FROM (
            SELECT page, text, words || '' AS words FROM document_pages WHERE document_id = n.document_id ORDER BY page OFFSET 0) p
          OFFSET 0) p
         WHERE terms > 0 LIMIT ${maxMatchingPages}) p
       ORDER BY terms DESC, page LIMIT ${maxSnippets}) best
     WHERE n.id = ANY (${ids}::uuid[]) ORDER BY best.terms DESC, best.page`.execute(db)
  return new Map(
    [...Map.groupBy(rows, ({ id }) => id)].map(([id, passages]) => [
      id,
      { passages, matchingPages: passages[0]?.matchingPages ?? 0 },
    ]),
  )
}
