import { isUnspaced } from '../../../packages/contract/fold.ts'
import { readSearchText, type SearchPart } from '../../../packages/contract/search-text.ts'
import { fillers, questionWords, stopWords } from '../../../packages/contract/stop-words.ts'
import { nameOfGreek, tokenise, type Word, withoutRunEnds } from '../../../packages/contract/words.ts'
import { operatorConditions } from './filters.ts'
import { foldWords } from './text-analysis/fold.ts'

/** A word of the query. */
export type AskedWord = {
  word: string
  /** Alternative spellings of the word. */
  others: string[]
  /**
   * The word without its letter (`b-tree`) or signs (`nad+`), which also finds it, with less weight. Without signs it is
   * searched only if no note has the word with them.
   */
  bare: string | null
  /** Stop words, single letters and digits score but are not required, unless the query has nothing else. */
  isOptional: boolean
  /** Whether it is a stop word. */
  isStop: boolean
  /** Whether it is a pair of characters of a script without spaces. */
  isPair: boolean
  /** Whether it was quoted or has signs, so that only its exact form matches. */
  isExact: boolean
  /** Whether it is the last word, which may be unfinished. */
  isLast: boolean
  /** Where it was typed; empty for a word of a phrase. */
  places: { start: number; end: number }[]
}

export type Query = {
  words: AskedWord[]
  /** The words of each phrase, in order. */
  phrases: string[][]
  excluded: { words: string[]; isPhrase: boolean }[]
  /** The conditions of course and year, for a `tsquery` on `note_search` or `note_text`. */
  inBothRows: string[]
  /** The conditions of authors and of excluded operators, for a `tsquery` on `note_search`, the short row. */
  inShortRow: string[]
  isQuestion: boolean
  /** Signs in the query that are not indexed and were ignored. */
  unsearched: string[]
}

export function readQuery(text: string): Query {
  const parts = readSearchText(text)
  const query: Query = {
    words: [],
    phrases: [],
    excluded: [],
    inBothRows: [],
    inShortRow: [],
    isQuestion: false,
    unsearched: [],
  }
  for (const [at, { kind, isExcluded, text: typed, start }] of parts.entries()) {
    const conditions = operatorConditions(kind, typed)
    if (conditions !== null) {
      if (isExcluded && conditions.length > 0) query.inShortRow.push(`!(${conditions.join(' & ')})`)
      else if (!isExcluded) (kind === 'by' ? query.inShortRow : query.inBothRows).push(...conditions)
    } else if (isExcluded) addExcluded(query, typed, kind === 'phrase')
    else if (kind === 'phrase') addPhrase(query, typed)
    else if (!isWords(parts[at - 1])) {
      // Neighbouring words are read together: `CSC 108`, `O(n log n)`.
      const next = parts.slice(at).find((part) => !isWords(part))
      addWords(query, text.slice(start, next?.start).trimEnd(), start)
    }
  }
  const folded = foldWords(text)
  query.isQuestion =
    /[?？]\s*$/.test(text) ||
    questionWords.has(folded[0] ?? '') ||
    query.words.filter(({ isStop }) => isStop).length >= 2
  if (query.isQuestion)
    for (const end of [-1, 0]) {
      const needed = query.words.filter(({ isOptional }) => !isOptional)
      const word = needed.at(end)
      if (word && needed.length > 1 && fillers.has(word.word)) word.isOptional = true
    }
  const last = query.words.at(-1)
  if (last && !/[\s?.!]$/.test(text)) last.isLast = true
  if (query.words.every(({ isOptional }) => isOptional)) for (const word of query.words) word.isOptional = false
  return query
}

const isWords = (part?: SearchPart) => part?.kind === 'words' && !part.isExcluded

function addWords(query: Query, text: string, offset: number): void {
  const { words, extraTokens } = tokenise(text, { isTyped: true })
  const signs = extraTokens.filter(({ kind }) => kind === 'withSigns')
  const lettered = extraTokens.filter(
    ({ kind, at, count }) => kind === 'joined' && count === 2 && words[at]?.word.length === 1,
  )
  const covered = new Set([
    ...signs.filter(({ count }) => count === 1).map(({ at }) => at),
    ...lettered.flatMap(({ at }) => [at, at + 1]),
  ])
  const isAllCapitals = !/\p{Ll}/u.test(text)
  const isKorean = /^\p{Script=Hangul}{2}$/u
  for (const [at, { word, run, isRunEnd, start, end }] of words.entries()) {
    if (covered.has(at) || (isRunEnd && words[at - 1]?.run === run)) continue
    const isPair = run !== undefined
    const name = nameOfGreek(word)
    // A particle at the end of a Korean word is grammar, so notes need not have it.
    const next = words[at + 1]
    const isParticle =
      isKorean.test(word) && next?.isRunEnd && at - (run ?? at) >= 1 && /[은는이가을를의에와과도로]$/u.test(word)
    const isShort = !isPair && [...word].length === 1
    // `HAVING` and `WHERE` among other words are terms.
    const isStop = stopWords.has(word) && (isAllCapitals || !/^\p{Lu}{2,}$/u.test(text.slice(start, end)))
    add(query, {
      word,
      others: name ? [name] : [],
      isStop,
      isOptional: isStop || (isShort && !name) || !!isParticle,
      isPair,
      places: [{ start: offset + start, end: offset + end }],
    })
  }
  for (const { kind, word, at, count, start, end } of [...signs, ...lettered]) {
    const bare = words[at + count - 1]?.word ?? null
    add(query, { word, isExact: kind === 'withSigns', bare, places: [{ start: offset + start, end: offset + end }] })
  }
  const alone = extraTokens.filter(({ kind }) => kind === 'symbol')
  for (const { word } of alone) {
    // An ASCII sign beside words is usually a typing error, or part of a formula that is written in many ways.
    const isMeant = word.length > 1 || word > '\x7f'
    if (isMeant || words.length === 0) add(query, { word, isExact: true, isOptional: !isMeant })
  }
  const searched = [...words, ...extraTokens].map(({ start, end }) => text.slice(start, end)).join('')
  for (const sign of new Set(text.match(/[^\s\p{L}\p{N}\p{M}.,;:?!¿¡'’"()\p{Pd}]/gu)))
    if (!searched.includes(sign)) query.unsearched.push(sign)
}

export const askFor = (word: string): AskedWord => ({
  word,
  others: [],
  bare: null,
  isOptional: false,
  isStop: stopWords.has(word),
  isPair: isUnspaced(word),
  isExact: false,
  isLast: false,
  places: [],
})

function add(query: Query, given: Partial<AskedWord> & { word: string }): void {
  const known = query.words.find(({ word, isExact }) => word === given.word && isExact === (given.isExact ?? false))
  if (known) known.places.push(...(given.places ?? []))
  else query.words.push({ ...askFor(given.word), ...given })
}

function addPhrase(query: Query, text: string): void {
  const { words, extraTokens } = tokenise(text)
  for (const { word, kind } of extraTokens)
    if (kind === 'withSigns' || (kind === 'symbol' && words.length === 0)) add(query, { word, isExact: true })
  for (const { word } of withoutRunEnds(words)) add(query, { word, isExact: true })
  const inOrder = phraseOf(words)
  if (inOrder.length > 1) query.phrases.push(inOrder)
}

/** Returns the words in order. The end of a last run of signs is left out, because more signs may follow it. */
function phraseOf(words: Word[]): string[] {
  const [before, last] = words.slice(-2)
  const isOpen = last?.isRunEnd && before?.run === last.run
  return words.slice(0, isOpen ? -1 : undefined).map(({ word }) => word)
}

function addExcluded(query: Query, text: string, isQuoted: boolean): void {
  const { words, extraTokens } = tokenise(text, { isTyped: !isQuoted })
  const signs = extraTokens.filter(({ kind }) => kind === 'withSigns').map(({ word }) => word)
  const ofWords = isQuoted ? phraseOf(words) : withoutRunEnds(words).map(({ word }) => word)
  const excluded = signs.length > 0 ? signs : ofWords
  if (excluded.length > 0) query.excluded.push({ words: excluded, isPhrase: isQuoted && excluded.length > 1 })
}
