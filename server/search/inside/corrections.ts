import type { Db } from '../../db/pool.ts'
import { findWordsByForms } from './known-words.queries.ts'
import type { Term } from './terms.ts'
import type { Corrections } from './tsquery.ts'

/** Shorter words have too many neighbours. */
const minLength = 4
const maxLength = 24
/** Of one word. */
const maxCorrections = 12

/** Words of titles, courses and instructors that are one typing error away from those typed. */
export const findCorrections = (db: Db, terms: Term[]): Promise<Corrections> =>
  findNearWords(db, terms, 1, (typed, known) => digitsOf(typed) === digitsOf(known))

/** Words that somebody may have meant, to be asked about: two errors away, or another number of the same subject. */
export const findMeanings = (db: Db, terms: Term[]): Promise<Corrections> =>
  findNearWords(
    db,
    terms,
    2,
    (typed, known) =>
      digitsOf(typed) === digitsOf(known) || (/\p{L}/u.test(typed) && lettersOf(typed) === lettersOf(known)),
  )

async function findNearWords(
  db: Db,
  terms: Term[],
  maxErrors: number,
  mayBe: (typed: string, known: string) => boolean,
): Promise<Corrections> {
  const typed = [...new Set(terms.filter(({ kind }) => kind === 'word' || kind === 'course').flatMap(wordsOf))].filter(
    ({ length }) => length >= minLength && length <= maxLength,
  )
  const forms = [...new Set(typed.flatMap(formsOf))]
  if (forms.length === 0) return new Map()
  const known = await findWordsByForms(db, forms)
  const corrections: Corrections = new Map()
  for (const word of typed) {
    const near = known
      .filter((other) => other !== word && mayBe(word, other))
      .map((other) => ({ other, errors: countErrors(word, other) }))
      .filter(({ errors }) => errors <= maxErrors)
      .sort((a, b) => a.errors - b.errors || (a.other < b.other ? -1 : 1))
      .slice(0, maxCorrections)
    if (near.length > 0)
      corrections.set(
        word,
        near.map(({ other }) => other),
      )
  }
  return corrections
}

const wordsOf = (term: Term) => [...term.words, ...term.compounds]
/** Another number is another course, year or week, and no slip. */
const digitsOf = (word: string) => word.replace(/\D/g, '')
const lettersOf = (word: string) => word.replace(/\d/g, '')

/** The word, and the word without each of its letters. */
function formsOf(word: string): string[] {
  const letters = [...word]
  return [word, ...letters.map((_, at) => letters.toSpliced(at, 1).join(''))]
}

/** Letters to be added, left out, replaced, or exchanged with their neighbour, to come from one word to another. */
function countErrors(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  let older: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let best = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (older[j - 2] ?? 0) + 1)
      next.push(best)
    }
    older = row
    row = next
  }
  return row[b.length] ?? 0
}
