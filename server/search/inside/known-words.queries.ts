import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { applySettings, byBitmaps } from '../../db/planning.ts'
import type { Db } from '../../db/pool.ts'
import { inTransaction } from '../../db/transaction.ts'
import { findableWords } from '../sampled.ts'

/** So many for each typed word at most, of which the nearest are taken. */
const maxNear = 500

/** Words of titles, courses, instructors and topics that have a form in common with one of those given. */
export async function findWordsByForms(db: Db, forms: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('known_word_forms')
    .select('word')
    .distinct()
    .where('form', 'in', forms)
    .limit(maxNear)
    .execute()
  return rows.map(({ word }) => word)
}

const forgottenAtOnce = 500

/**
 * Forgets words that no note has any more, which find nothing. One that a note gets back at this moment may be forgotten
 * too, until it is learnt again. Begins anywhere and goes round, since there may be no time for all of them: whatever
 * there is time for, each gets its turn some night.
 */
export async function forgetWords(db: Db, signal: AbortSignal, start = randomStart()): Promise<void> {
  await forgetBetween(db, signal, start, null)
  await forgetBetween(db, signal, '', start)
}

/** As random as is needed: any word may be the next one in the order of the words' bytes. */
const randomStart = () =>
  randomInt(36 ** 2)
    .toString(36)
    .padStart(2, '0')

/** Those behind `start`, up to and with `end`. */
async function forgetBetween(db: Db, signal: AbortSignal, start: string, end: string | null): Promise<void> {
  for (let after = start; !signal.aborted; ) {
    const known = await db
      .selectFrom('known_word_forms')
      .select('word')
      .distinct()
      .where('word', '>', after)
      .$if(end !== null, (query) => query.where('word', '<=', end))
      .orderBy('word')
      .limit(sql.lit(forgottenAtOnce))
      .execute()
    const last = known.at(-1)
    if (!last) return
    await inTransaction(db, async (tx) => {
      await applySettings(tx, byBitmaps)
      await sql`
        DELETE FROM known_word_forms WHERE word IN (
          SELECT word FROM unnest(${known.map(({ word }) => word)}::text[]) AS word
           WHERE NOT EXISTS (SELECT FROM search_entries WHERE ${findableWords} @@ format('''!%s'' | ''*%s''', word, word)::tsquery))`.execute(
        tx,
      )
    })
    after = last.word
  }
}
