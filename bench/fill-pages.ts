import { sql } from 'kysely'
import type { Db, Tx } from '../server/db/pool.ts'
import { foldVersion } from '../server/words/fold.ts'
import { createRandom, type Random } from '../tools/demo/random.ts'

export const pagesOfNote = 20
const wordsOnPage = 220
const vocabularySize = 60_000
/** Words that come again and again in a note, which is about them. */
const ownWords = 60
const notesAtOnce = 50
const workers = 3

/** Made-up words by falling frequency: the frequent ones are short. */
export function makeVocabulary(): string[] {
  const random = createRandom('vocabulary')
  const onsets = 'b c d f g h j k l m n p r s t v w z st tr pl gr ch sh'.split(' ')
  const vowels = 'a e i o u ea io ou'.split(' ')
  const codas = ['', '', 'n', 'r', 's', 't', 'l', 'm']
  const words = new Set<string>()
  while (words.size < vocabularySize) {
    const syllables = words.size < 40 ? 1 : words.size < 3_000 ? random.int(1, 3) : random.int(2, 5)
    let word = ''
    for (let n = 0; n < syllables; n++) word += random.pick(onsets) + random.pick(vowels) + random.pick(codas)
    words.add(word)
  }
  return [...words]
}

/** Draws words as often as languages use them: the n-th of them about a n-th as often as the first. */
function createDraw(vocabulary: string[], random: Random): () => string {
  const sums: number[] = []
  let sum = 0
  for (let rank = 1; rank <= vocabulary.length; rank++) {
    sum += 1 / (rank + 2.7) ** 1.05
    sums.push(sum)
  }
  return () => {
    const at = random.next() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < at) low = middle + 1
      else high = middle
    }
    return vocabulary[low] ?? ''
  }
}

/** Gives every note a document of so many pages; `makeSearchable` comes after it. */
export async function fillPages(db: Db, vocabulary: string[], say: (text: string) => void): Promise<void> {
  const random = createRandom('pages')
  const draw = createDraw(vocabulary, random)
  const documents = await db.selectFrom('documents').select('id').orderBy('id').execute()
  await sql`ALTER TABLE document_pages DISABLE TRIGGER USER`.execute(db)
  for (let done = 0; done < documents.length; done += notesAtOnce) {
    const rows = documents.slice(done, done + notesAtOnce).flatMap(({ id }) => {
      const own = Array.from({ length: ownWords }, () => random.pick(vocabulary))
      return Array.from({ length: pagesOfNote }, (_, page) => {
        const words = Array.from({ length: wordsOnPage }, () => (random.chance(0.15) ? random.pick(own) : draw()))
        return { id, page: page + 1, text: asText(words), words: ` ${words.join(' ')} | ` }
      })
    })
    await sql`
      INSERT INTO document_pages (document_id, page, text, words, fold_version)
      SELECT *, ${foldVersion}
        FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ page }) => page)}::integer[],
                    ${rows.map(({ text }) => text)}::text[], ${rows.map(({ words }) => words)}::text[])`.execute(db)
    if (done % 2_000 === 0) say(`${done} of ${documents.length} documents written`)
  }
  await sql`ALTER TABLE document_pages ENABLE TRIGGER USER`.execute(db)
  await sql`UPDATE documents SET text_state = 'done', picture_state = 'done', page_count = ${pagesOfNote}`.execute(db)
}

/** What the triggers do of a note at a time, and the index once at the end. */
export async function makeSearchable(db: Db, say: (text: string) => void): Promise<void> {
  await sql`DROP INDEX IF EXISTS search_entries_words`.execute(db)
  const notes = await db.selectFrom('notes').select('id').orderBy('id').execute()
  let done = 0
  const work = async () => {
    while (done < notes.length) {
      const ids = notes.slice(done, done + notesAtOnce).map(({ id }) => id)
      done += notesAtOnce
      if (done % 2_000 === 0) say(`${done} of ${notes.length} notes made searchable`)
      await patiently(db, (tx) =>
        sql`SELECT update_search_entry(n) FROM notes n WHERE id = ANY(${ids}::uuid[])`.execute(tx),
      )
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  await patiently(db, (tx) =>
    sql`CREATE INDEX search_entries_words ON search_entries USING gin (findable_words(words, ranked)) WITH (fastupdate = off)`.execute(
      tx,
    ),
  )
}

/** Without the limit that a server's statements have. */
const patiently = (db: Db, run: (tx: Tx) => Promise<unknown>) =>
  db.transaction().execute(async (tx) => {
    await sql`SET LOCAL statement_timeout = 0`.execute(tx)
    await run(tx)
  })

/** Sentences and lines, as a page has them. */
function asText(words: string[]): string {
  let text = ''
  for (const [index, word] of words.entries()) {
    const begins = index % 13 === 0
    text += `${begins ? `${word.charAt(0).toUpperCase()}${word.slice(1)}` : word}${index % 13 === 12 ? '.' : ''}${index % 11 === 10 ? '\n' : ' '}`
  }
  return text
}
