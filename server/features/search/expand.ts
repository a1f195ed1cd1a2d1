import { type RawBuilder, sql } from 'kysely'
import { languages, stopWords } from '../../../packages/contract/stop-words.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { AskedWord } from './query.ts'
import { spellingsForStem, stemKeys } from './stems.ts'

/** A form that also finds a word, and how much a match of it is worth. */
type Form = { form: string; factor: number }
export type Term = AskedWord & {
  forms: Form[]
  /** Whether `search_words` has one of its forms. A word of a new note may still be missing there. */
  isKnown: boolean
  /** The number of notes with its most frequent form. */
  notes: number
  /** The word of a note that replaces a misspelt word. */
  correction: string | null
}
type Known = { word: string; notes: number }

/** The worth of a match by each kind of form, compared with the word as it was typed. */
const factors = { stem: 0.9, beginning: 0.9, correction: 0.75, stemOfCorrection: 0.65, part: 0.6, bare: 0.4 }
const maxForms = 16
const maxCorrections = 3
const isLatin = (word: string) => /^[a-z]{3,24}$/.test(word)

/**
 * Returns the words of a query with their forms, and the number of all notes.
 * @param mayCorrect whether typing errors are corrected.
 */
export async function expand(
  db: Db,
  asked: AskedWord[],
  mayCorrect: boolean,
): Promise<{ terms: Term[]; total: number }> {
  const joined = asked.map(({ word, isExact, isPair }, at) => {
    const next = asked[at + 1]
    return next && !isExact && !isPair && !next.isPair && !next.isExact ? word + next.word : ''
  })
  const wanted = [...asked.flatMap(({ word, others, bare }) => [word, ...others, bare ?? '']), ...joined, '']
  const known = await findKnown(db, wanted)
  const countOf = new Map(known.map(({ word, notes }) => [word, notes]))
  const total = countOf.get('') ?? 0
  const terms = asked.map((word, at): Term => {
    const forms: Form[] = [word.word, ...word.others]
      .filter((form) => countOf.has(form))
      .map((form) => ({ form, factor: 1 }))
    for (const form of [joined[at], joined[at - 1]])
      if (form && countOf.has(form)) forms.push({ form, factor: factors.stem })
    if (word.bare && countOf.has(word.bare) && !(word.isExact && countOf.has(word.word)))
      forms.push({ form: word.bare, factor: factors.bare })
    return {
      ...word,
      forms,
      notes: Math.max(0, ...forms.map(({ form }) => countOf.get(form) ?? 0)),
      correction: null,
      isKnown: true,
    }
  })
  const isOpen = (term: Term) => !term.isExact && !term.isPair && !term.isOptional
  const joinedOpen = joined.filter((word, at) => countOf.has(word) && terms.slice(at, at + 2).every(isOpen))
  const stems = await findStems(db, [...terms.filter(isOpen).map(({ word }) => word), ...joinedOpen])
  for (const [at, term] of terms.entries()) {
    if (!isOpen(term)) continue
    for (const word of [term.word, joined[at], joined[at - 1]]) if (word) addForms(term, stems.get(word), factors.stem)
  }
  const found: Term[] = []
  for (const term of terms) {
    const isComplete = term.isExact || countOf.has(term.word)
    const mayCorrectIt = mayCorrect && !term.isStop && !term.isOptional
    if (!isComplete && term.forms.length === 0) found.push(...(await findOtherwise(db, term, mayCorrectIt)))
    else {
      if (!isComplete && term.word.length >= 7 && mayCorrectIt)
        addForms(term, await findMisspelt(db, term.word, 1), factors.correction)
      found.push(term)
    }
  }
  for (const term of found) {
    term.isKnown = term.forms.length > 0
    if (!term.forms.some(({ form }) => form === term.word)) term.forms.push({ form: term.word, factor: 1 })
  }
  return { terms: found, total }
}

function addForms(term: Term, known: Known[] = [], factor: number): boolean {
  for (const { word, notes } of known) {
    if (term.forms.length >= maxForms || term.forms.some(({ form }) => form === word)) continue
    term.forms.push({ form: word, factor })
    term.notes = Math.max(term.notes, notes)
  }
  return known.length > 0
}

/**
 * Adds forms to an unknown word, from the first kind that finds any.
 * @returns the word, or the two words that it is made of.
 */
async function findOtherwise(db: Db, term: Term, mayCorrect: boolean): Promise<Term[]> {
  const { word, isLast, isPair } = term
  const length = [...word].length
  const pattern = word.replace(/[\\%_]/g, '\\$&')
  if (length >= (isLast ? 2 : 5) || (isPair && length === 1)) {
    const beginnings = await findMatching(db, sql`word LIKE ${`${pattern}%`}`)
    // The last word may be misspelt as well as unfinished.
    if (beginnings.length > 0 && mayCorrect && length >= 5)
      addForms(term, await findMisspelt(db, word, 1), factors.correction)
    if (addForms(term, beginnings, factors.beginning)) return [term]
  }
  if (isPair) return [term]
  if (length >= 5 && isLatin(word)) {
    // With LIKE ANY, PostgreSQL would not use the index.
    for (const ending of [word, withoutEnding(word)].filter((each) => each.length >= 5)) {
      const reversed = `${[...ending].toReversed().join('')}%`
      if (addForms(term, await findMatching(db, sql`reverse(word) LIKE ${reversed}`), factors.part)) return [term]
    }
  }
  const correct = async (typed: string, errors: Errors) => {
    const near = mayCorrect ? await findMisspelt(db, typed, errors) : []
    term.correction = near[0]?.word ?? null
    const stems = await findStems(
      db,
      near.map((each) => each.word),
    )
    addForms(term, near, factors.correction)
    for (const { word: each } of near) addForms(term, stems.get(each), factors.stemOfCorrection)
    return near.length > 0
  }
  if (length >= 4 && (await correct(word, 1))) return [term]
  if (length >= 7) {
    const parts = await findParts(db, word)
    if (parts.length === 2)
      return parts.map((part) => ({
        ...term,
        word: part.word,
        notes: part.notes,
        forms: [{ form: part.word, factor: 1 }],
      }))
    if (addForms(term, parts, factors.part)) return [term]
  }
  // A German word may differ from the English one besides its ending: `Transaktionen`.
  if (length >= 8) (await correct(withoutEnding(word), 1)) || (await correct(word, 2))
  else if (length >= 6) await correct(word, 'doubled')
  return [term]
}

async function findKnown(db: Db, words: string[]): Promise<Known[]> {
  const { rows } = await sql<Known>`SELECT word, notes FROM search_words WHERE word = ANY (${words}::text[])`.execute(
    db,
  )
  return rows
}

/** Returns the most frequent known words that match a condition. */
async function findMatching(db: Db, condition: RawBuilder<unknown>): Promise<Known[]> {
  const { rows } = await sql<Known>`
    SELECT word, notes FROM search_words WHERE ${condition} ORDER BY notes DESC, word LIMIT ${maxForms}`.execute(db)
  return rows
}

/** Returns known words that share a stem with each word, the most frequent first. */
async function findStems(db: Db, words: string[]): Promise<Map<string, Known[]>> {
  const latin = words.filter(isLatin)
  if (latin.length === 0) return new Map()
  const computed = stemKeys(sql`g.spelling`, sql`g.umlaut`, sql`g.word`, sql`${languages.join(' ')}::text`)
  // OFFSET 0 and the order make PostgreSQL use the index of keys.
  const { rows } = await sql<Known & { asked: string }>`
    WITH asked AS (
      SELECT g.word, coalesce((SELECT keys FROM search_words w WHERE w.word = g.word), ${computed}) AS keys
        FROM unnest(${latin}::text[], ${latin.map((word) => spellingsForStem(word).spelling)}::text[],
                    ${latin.map((word) => spellingsForStem(word).umlaut)}::text[]) AS g (word, spelling, umlaut) OFFSET 0)
    SELECT asked.word AS asked, s.word, s.notes FROM asked, LATERAL
      (SELECT word, notes FROM search_words s WHERE s.keys && asked.keys ORDER BY notes DESC LIMIT ${maxForms}) s`.execute(
    db,
  )
  // The stop word of one language may be a word of another: `bins` finds `bin`, but `notes` not `not`.
  const found = rows.filter(({ asked, word }) => !stopWords.has(word) || asked === `${word}s`)
  return Map.groupBy(found, ({ asked }) => asked)
}

/** At most so many errors, or two letters that only one of both words doubles: `comitee`. */
type Errors = 1 | 2 | 'doubled'

/**
 * Returns the nearest known words within the typing errors, first those with the same first letter, then the most
 * frequent.
 */
async function findMisspelt(db: Db, word: string, errors: Errors): Promise<Known[]> {
  // `search_words` has forms of words up to 24 letters; two more may be errors.
  if (!/^[\p{L}\p{N}]{1,26}$/u.test(word)) return []
  const forms = [...new Set([word, ...formsWith(word, errors)])]
  // `search_words.forms` has each word, and the word without each one of its letters.
  const { rows } = await sql<Known>`
    SELECT word, notes FROM search_words WHERE forms && ${forms}::text[] LIMIT 500`.execute(db)
  const isAsShort = word.length <= 5
  return rows
    .map((known) => ({ ...known, distance: editDistance(word, known.word), isOther: known.word[0] !== word[0] }))
    .filter(
      ({ distance, isOther, word: other }) =>
        distance <= (errors === 1 ? 1 : 2) &&
        !(isAsShort && isOther) &&
        !stopWords.has(other) &&
        digitsOf(other) === digitsOf(word) &&
        (errors !== 'doubled' || withoutDoubles(other) === withoutDoubles(word)),
    )
    .sort((a, b) => a.distance - b.distance || Number(a.isOther) - Number(b.isOther) || b.notes - a.notes)
    .filter(({ distance }, _, [first]) => distance === first?.distance)
    .slice(0, maxCorrections)
}

/** Returns a German word in the singular, as far as its ending tells. */
const withoutEnding = (word: string) => word.replace(/(?:en|er|es|[ens])$/, '')

/** A different number means another course, year or week, not a typing error. */
const digitsOf = (word: string) => word.replace(/\D/g, '')
const alphabet = [...'abcdefghijklmnopqrstuvwxyz']
/** Finds words with two letters more, because `search_words.forms` has them without one of these. */
const withOneMore = (word: string) =>
  Array.from({ length: word.length + 1 }, (_, at) => at).flatMap((at) =>
    alphabet.map((letter) => word.slice(0, at) + letter + word.slice(at)),
  )
const vowels = [...'aeiouy']
const withOtherVowel = (word: string) =>
  [...word].flatMap((letter, at, letters) =>
    vowels.includes(letter)
      ? vowels.filter((vowel) => vowel !== letter).map((vowel) => letters.with(at, vowel).join(''))
      : [],
  )
const withoutOne = (word: string) => [...word].map((_, at, letters) => letters.toSpliced(at, 1).join(''))
const withoutDoubles = (word: string) => word.replace(/(.)\1+/gu, '$1')
const withOneDoubled = (word: string) =>
  [...word].map((letter, at, letters) => letters.toSpliced(at, 0, letter).join(''))

/**
 * Returns what a word with these errors shares with `search_words.forms` of the right one. Of two errors, most are
 * covered: two letters too few or too many, one of each kind, or a wrong vowel and any other error.
 */
function formsWith(word: string, errors: Errors): string[] {
  const once = withoutOne(word)
  if (errors === 1) return once
  if (errors === 2) {
    const withVowel = withOtherVowel(word)
    return [...once, ...once.flatMap(withoutOne), ...withOneMore(word), ...withVowel, ...withVowel.flatMap(withoutOne)]
  }
  const isSame = (form: string) => withoutDoubles(form) === withoutDoubles(word)
  return [...once, ...once.flatMap(withoutOne)].filter(isSame).concat(withOneDoubled(word))
}

/** Returns the parts of a compound: two known words, no stop words, or a known beginning of at least 45 % of it. */
async function findParts(db: Db, word: string): Promise<Known[]> {
  const splits = Array.from({ length: Math.max(0, word.length - 5) }, (_, at) => at + 3).flatMap((at) =>
    ['', 's', 'es', 'n', 'en', 'er']
      .filter((link) => word.startsWith(link, at))
      .map((link) => [word.slice(0, at), word.slice(at + link.length)] as const),
  )
  const pieces = [...new Set(splits.flat())].filter((piece) => piece.length >= 3)
  const known = new Map((await findKnown(db, pieces)).map((each) => [each.word, each]))
  const whole = splits
    .map(([first, second]) => [known.get(first), known.get(second)] as const)
    .filter(([first, second]) => first && second && ![first.word, second.word].some((part) => stopWords.has(part)))
    .sort(
      (a, b) =>
        Math.abs((a[0]?.word.length ?? 0) - word.length / 2) - Math.abs((b[0]?.word.length ?? 0) - word.length / 2),
    )[0]
  if (whole) return whole.flatMap((each) => each ?? [])
  const beginnings = [...known.values()].filter(
    (each) => word.startsWith(each.word) && each.word.length >= Math.max(4, 0.45 * word.length),
  )
  return beginnings.sort((a, b) => b.word.length - a.word.length).slice(0, 1)
}

/**
 * Returns the number of letters to insert, delete, replace or swap with their neighbour to turn one word into the
 * other.
 */
function editDistance(one: string, other: string): number {
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
