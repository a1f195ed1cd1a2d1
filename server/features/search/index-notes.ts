import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Language, languages, stopWords, stopWordsOf } from '../../../packages/contract/stop-words.ts'
import { separator } from '../../../packages/contract/words.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inTransaction, lockNotAvailable } from '../../platform/db/transaction.ts'
import { hasCode, type Log } from '../../platform/observability/log.ts'
import { quoted } from './filters.ts'
import { spellingsForStem, stemKeys } from './stems.ts'

/**
 * Maximum number of documents per transaction, which locks their notes, and of bytes of their compressed texts. A
 * larger text is indexed alone.
 */
const [maxAtOnce, maxTextBytes] = [20, 500_000]
/** A tsvector holds at most a megabyte; the rarest words of longer texts are left out. */
const maxBytes = 800_000
const [firstTopics, maxTopics] = [20, 60]
const maxKnownLength = 24

/** Queues a document for indexing. Call this in the transaction that changes its text. */
export const queueIndexing = async (db: Db | Tx, documentId: string): Promise<void> => {
  await db.insertInto('index_queue').values({ document_id: documentId }).execute()
}

/**
 * Indexes the changed texts of notes and counts the known words. Only one server runs this at a time.
 * @param lockLimitMs how long to wait for locks; after it the rest is left to the next run, because `correctCounts` can
 * take minutes in a large library.
 */
export async function indexNotes(db: Db, signal?: AbortSignal, lockLimitMs = 10_000): Promise<void> {
  while (!signal?.aborted) {
    const isDone = await inTransaction(db, async (tx) => {
      // A text that always fails would otherwise block all texts behind it.
      await sql`SET LOCAL statement_timeout = '230s'`.execute(tx)
      await sql`SET LOCAL lock_timeout = ${sql.lit(lockLimitMs)}`.execute(tx)
      // Two runs would lock the rows of frequent words in different orders.
      await sql`SELECT pg_advisory_xact_lock(hashtext('index-notes'))`.execute(tx)
      const { rows } = await sql<{ document_id: string; found: number }>`
        WITH next AS (SELECT ctid, document_id FROM index_queue LIMIT ${maxAtOnce}),
        sized AS (
          SELECT ctid, row_number() OVER (ORDER BY ctid) AS place, sum(bytes) OVER (ORDER BY ctid) AS bytes
            FROM next, LATERAL (SELECT coalesce(sum(pg_column_size(words)), 0) AS bytes FROM document_pages p
                                 WHERE p.document_id = next.document_id) AS size)
        DELETE FROM index_queue
         WHERE ctid = ANY (ARRAY(SELECT ctid FROM sized WHERE place = 1 OR bytes <= ${maxTextBytes}))
        RETURNING document_id, (SELECT count(*) FROM next)::integer AS found`.execute(tx)
      if (rows.length === 0) return true
      const notes = await lockNotes(tx, [...new Set(rows.map((row) => row.document_id))])
      const counted = new Map<string, Counted>()
      const indexed: Rows[] = []
      for (const note of notes) {
        indexed.push(indexNote(note, counted))
        // Requests are answered between two texts.
        await setImmediate()
      }
      await writeRows(tx, indexed)
      await countWords(tx, counted)
      return rows.length < maxAtOnce && rows.length === rows[0]?.found
    }).catch((error) => {
      if (hasCode(error, lockNotAvailable)) return true
      throw error
    })
    if (isDone) return
  }
}

const current = new WeakMap<Db, Promise<void>>()
const next = new WeakMap<Db, Promise<void>>()

/**
 * Call this after a text was stored. Texts that are stored during a run are indexed together by the next one. A failure
 * is only logged, because the schedule indexes the texts within a minute.
 */
export function indexSoon({ db, log }: { db: Db; log: Log }, signal: AbortSignal): Promise<void> {
  const warn = (err: unknown) => log.warn({ err }, 'Couldn’t index a text; retrying within a minute')
  const run = async () => {
    await current.get(db)
    next.delete(db)
    const running = indexNotes(db, signal).catch(warn)
    current.set(db, running)
    await running
  }
  const promise = next.get(db) ?? run()
  next.set(db, promise)
  return promise
}

type QueuedNote = { id: string; pages: string[]; head: string[]; author: string[]; former: string[] | null }
/**
 * The change in the number of notes with a word, and the languages of these notes. Null for a name, which has no stem.
 */
type Counted = { change: number; languages: Set<Language> | null }

/** Locks the notes: an edit in progress is waited for, and later edits wait. */
async function lockNotes(tx: Tx, documentIds: string[]): Promise<QueuedNote[]> {
  const { rows: locked } = await sql<{ id: string }>`
    SELECT id FROM notes WHERE document_id = ANY (${documentIds}::uuid[]) ORDER BY id FOR NO KEY UPDATE`.execute(tx)
  const { rows } = await sql<QueuedNote>`
    SELECT n.id, ARRAY(SELECT words FROM document_pages p WHERE p.document_id = n.document_id ORDER BY page) AS pages,
           tsvector_to_array(n.title_words || n.course_words || n.instructor_words) AS head,
           ARRAY(SELECT substr(word, 2) FROM unnest(tsvector_to_array(s.words)) AS word WHERE starts_with(word, 'a')) AS author,
           (SELECT ARRAY(SELECT substr(word, 2) FROM unnest(tsvector_to_array(x.words)) AS word WHERE starts_with(word, '='))
              FROM note_text x WHERE x.note_id = n.id) AS former
      FROM notes n JOIN note_search s ON s.note_id = n.id
     WHERE n.id = ANY (${locked.map(({ id }) => id)}::uuid[])`.execute(tx)
  return rows
}

type Rows = { id: string; topics: string; words: string }

/** Returns the distinct words and the topics of a note, and adds its words to `counted`. */
function indexNote(note: QueuedNote, counted: Map<string, Counted>): Rows {
  const times = new Map<string, number>()
  for (const words of note.pages)
    for (const word of words.split(' '))
      if (word !== '' && word !== separator) times.set(word, (times.get(word) ?? 0) + 1)
  // Words of equal frequency keep the order of the text.
  const frequent = [...times].sort((a, b) => b[1] - a[1]).map(([word]) => word)
  const topics = frequent.filter(mayBeTopic).slice(0, maxTopics)
  // A word that occurs only once may be a passing mention.
  const weightOf = (word: string, at: number) => (at < firstTopics && (times.get(word) ?? 0) > 1 ? 'C' : 'D')
  const placed = topics.map((word, at) => `${quoted(word)}:${at + 1}${weightOf(word, at)}`)
  const words = new Set<string>()
  let bytes = 0
  for (const word of frequent) {
    bytes += Buffer.byteLength(word) + 4
    if (bytes < maxBytes) words.add(word)
  }
  for (const word of note.head) if (word !== '!') words.add(word)
  const former = new Set(note.former)
  const spoken = languagesOf([...times.entries(), ...note.head.map((word) => [word, 1] as const)])
  const add = (word: string, change: number, of: Language[] | null) => {
    const known = counted.get(word) ?? { change: 0, languages: null }
    const all = of === null ? known.languages : new Set([...(known.languages ?? []), ...of])
    counted.set(word, { change: known.change + change, languages: all })
  }
  for (const word of words) add(word, former.has(word) ? 0 : 1, spoken)
  for (const word of former) if (!words.has(word)) add(word, -1, null)
  for (const word of note.author) add(word, 0, null)
  if (note.former === null) add('', 1, null)
  return { id: note.id, topics: placed.join(' '), words: [...words].join(' ') }
}

async function writeRows(tx: Tx, rows: Rows[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await sql`
    SELECT write_note_search(n, topics::tsvector)
      FROM unnest(${ids}::uuid[], ${rows.map(({ topics }) => topics)}::text[]) AS g (id, topics) JOIN notes n USING (id)`.execute(
    tx,
  )
  await sql`
    INSERT INTO note_text
    SELECT id, array_to_tsvector(ARRAY(SELECT '=' || word FROM string_to_table(words, ' ') AS word WHERE word <> '')
                                 || note_keys(notes))
      FROM unnest(${ids}::uuid[], ${rows.map(({ words }) => words)}::text[]) AS g (id, words) JOIN notes USING (id)
    ON CONFLICT (note_id) DO UPDATE SET words = excluded.words`.execute(tx)
}

const mayBeTopic = (word: string) =>
  !stopWords.has(word) && (word.length > 2 || !/^[a-z0-9]+$/.test(word)) && /[a-z]|[^ -~]/.test(word)

/** Returns the language of most stop words, or all languages if none clearly dominates. */
function languagesOf(times: Iterable<readonly [string, number]>): Language[] {
  let all = 0
  const found = new Map<Language, number>()
  for (const [word, count] of times) {
    all += count
    for (const language of languages)
      if (stopWordsOf[language].has(word)) found.set(language, (found.get(language) ?? 0) + count)
  }
  const [first, second] = [...found].sort((a, b) => b[1] - a[1])
  return first && first[1] >= 0.15 * all && first[1] >= 1.5 * (second?.[1] ?? 0) ? [first[0]] : languages
}

/** Adds new words and counts known ones, in the order of the words. */
async function countWords(tx: Tx, counted: Map<string, Counted>): Promise<void> {
  if (counted.size === 0) return
  const words = [...counted].sort(([a], [b]) => (a < b ? -1 : 1))
  const latin = (word: string) => /^[a-z]{3,}$/.test(word) && word.length <= maxKnownLength
  await sql`
    WITH given AS MATERIALIZED (
      SELECT * FROM unnest(${words.map(([word]) => word)}::text[], ${words.map(([, { change }]) => change)}::integer[],
        ${words.map(([word, of]) => (latin(word) && of.languages ? [...of.languages].join(' ') : ''))}::text[],
        ${words.map(([word]) => (latin(word) ? spellingsForStem(word).spelling : ''))}::text[],
        ${words.map(([word]) => (latin(word) ? spellingsForStem(word).umlaut : ''))}::text[]) AS g (word, change, languages, spelling, umlaut)),
    fresh AS (
      SELECT g.* FROM given g LEFT JOIN search_words w ON w.word = g.word COLLATE "C"
       WHERE w.word IS NULL OR (g.languages <> '' AND NOT coalesce(${sql.raw(languagesKnown)}, false)))
    INSERT INTO search_words AS w (word, notes, keys, forms)
    SELECT g.word, g.change, CASE WHEN f.languages <> '' THEN ${stemKeys(sql`f.spelling`, sql`f.umlaut`, sql`f.word`, sql`f.languages`)} END,
           CASE WHEN f.word ~ '^[a-z0-9\\u0370-\\u04ff]{3,24}$' THEN ARRAY(
             SELECT f.word UNION SELECT left(f.word, at - 1) || substr(f.word, at + 1) FROM generate_series(1, char_length(f.word)) AS at) END
      FROM given g LEFT JOIN fresh f USING (word) WHERE g.change <> 0 OR f.word IS NOT NULL ORDER BY g.word COLLATE "C"
    ON CONFLICT (word) DO UPDATE SET notes = greatest(0, w.notes + excluded.notes),
      forms = coalesce(w.forms, excluded.forms),
      keys = CASE WHEN excluded.keys IS NULL OR w.keys @> excluded.keys THEN w.keys
                  ELSE ARRAY(SELECT unnest(w.keys) UNION SELECT unnest(excluded.keys)) END`.execute(tx)
}
/** Whether a word has keys for each of the languages. */
const languagesKnown = `(SELECT bool_and(EXISTS (SELECT FROM unnest(w.keys) AS key WHERE left(key, 1) = left(language, 1)))
  FROM string_to_table(g.languages, ' ') AS language)`

/** Corrects the counts, which deleted notes have changed, and deletes words that no note has. */
export async function correctCounts(db: Db): Promise<void> {
  await inTransaction(db, async (tx) => {
    await sql`SET LOCAL statement_timeout = '230s'`.execute(tx)
    await sql`SELECT pg_advisory_xact_lock(hashtext('index-notes'))`.execute(tx)
    await sql`
      WITH counted AS MATERIALIZED (
        SELECT substr(word, 2) AS word, sum(ndoc)::integer AS notes
          FROM ts_stat('SELECT words FROM note_text') WHERE starts_with(word, '=') GROUP BY 1
        UNION ALL SELECT '', count(*)::integer FROM note_text),
      names AS MATERIALIZED (SELECT substr(word, 2) AS word FROM ts_stat('SELECT words FROM note_search') WHERE starts_with(word, 'a')),
      gone AS (
        DELETE FROM search_words w WHERE NOT EXISTS (SELECT FROM counted c WHERE c.word = w.word)
           AND NOT EXISTS (SELECT FROM names n WHERE n.word = w.word))
      UPDATE search_words w SET notes = c.notes FROM counted c WHERE c.word = w.word AND c.notes <> w.notes`.execute(tx)
  })
}
