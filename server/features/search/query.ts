import { readSearchText } from '../../../packages/contract/search-text.ts'
import { questionWords, stopWords } from '../../../packages/contract/stop-words.ts'
import { isUnspaced, nameOfGreek, tokenise, withoutTails } from '../../../packages/contract/words.ts'
import { operatorCondition } from './filters.ts'
import { foldWords } from './text-analysis/fold.ts'

/** A word of the query. */
export type AskedWord = {
  word: string
  /** Alternative spellings of the word. */
  others: string[]
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
  /** The conditions of operators, for a `tsquery`. */
  narrowed: string[]
  authors: string[]
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
    narrowed: [],
    authors: [],
    isQuestion: false,
    unsearched: [],
  }
  for (const [at, { kind, text: typed, isQuoted, start }] of parts.entries()) {
    const condition = operatorCondition(kind, typed)
    if (condition !== null) query.narrowed.push(condition)
    else if (kind === 'by') query.authors.push(...foldWords(typed))
    else if (kind === 'exclude') addExcluded(query, typed, isQuoted)
    else if (kind === 'phrase') addPhrase(query, typed)
    else if (parts[at - 1]?.kind !== 'words') {
      // Neighbouring words are read together: `CSC 108`, `O(n log n)`.
      const next = parts.slice(at).find((part) => part.kind !== 'words')
      addWords(query, text.slice(start, next?.start).trimEnd(), start)
    }
  }
  const folded = foldWords(text)
  query.isQuestion =
    /[?？]\s*$/.test(text) ||
    questionWords.has(folded[0] ?? '') ||
    query.words.filter(({ isStop }) => isStop).length >= 2
  const last = query.words.at(-1)
  if (last && !/[\s?.!]$/.test(text)) last.isLast = true
  if (query.words.every(({ isOptional }) => isOptional)) for (const word of query.words) word.isOptional = false
  return query
}

function addWords(query: Query, text: string, offset: number): void {
  const { words, compounds } = tokenise(text, { isTyped: true })
  const signs = compounds.filter(({ kind }) => kind === 'signs')
  const covered = new Set(signs.filter(({ count }) => count === 1).map(({ at }) => at))
  const isKorean = /^\p{Script=Hangul}{2}$/u
  for (const [at, { word, run, isTail, start, end }] of words.entries()) {
    if (covered.has(at) || (isTail && words[at - 1]?.run === run)) continue
    const isPair = run !== undefined
    const name = nameOfGreek(word)
    // A particle at the end of a Korean word is grammar, so notes need not have it.
    const next = words[at + 1]
    const isParticle =
      isKorean.test(word) && next?.isTail && at - (run ?? at) >= 1 && /[은는이가을를의에와과도로]$/u.test(word)
    const isShort = !isPair && [...word].length === 1
    add(query, {
      word,
      others: name ? [name] : [],
      isOptional: stopWords.has(word) || (isShort && !name) || !!isParticle,
      isPair,
      places: [{ start: offset + start, end: offset + end }],
    })
  }
  for (const { word, start, end } of signs)
    add(query, { word, isExact: true, places: [{ start: offset + start, end: offset + end }] })
  const alone = compounds.filter(({ kind }) => kind === 'sign')
  for (const { word } of alone) {
    // An ASCII sign beside words is usually a typing error, or part of a formula that is written in many ways.
    const isMeant = word.length > 1 || word > '\x7f'
    if (isMeant || words.length === 0) add(query, { word, isExact: true, isOptional: !isMeant })
  }
  const searched = [...words, ...compounds].map(({ start, end }) => text.slice(start, end)).join('')
  for (const sign of new Set(text.match(/[^\s\p{L}\p{N}\p{M}.,;:?!'’"()\p{Pd}]/gu)))
    if (!searched.includes(sign)) query.unsearched.push(sign)
}

export const askFor = (word: string): AskedWord => ({
  word,
  others: [],
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
  const { words, compounds } = tokenise(text)
  const inOrder = withoutTails(words).map(({ word }) => word)
  for (const { word, kind } of compounds)
    if (kind === 'signs' || (kind === 'sign' && inOrder.length === 0)) add(query, { word, isExact: true })
  for (const word of inOrder) add(query, { word, isExact: true })
  if (inOrder.length > 1) query.phrases.push(inOrder)
}

function addExcluded(query: Query, text: string, isQuoted: boolean): void {
  const { words, compounds } = tokenise(text, { isTyped: !isQuoted })
  const signs = compounds.filter(({ kind }) => kind === 'signs').map(({ word }) => word)
  const excluded = signs.length > 0 ? signs : withoutTails(words).map(({ word }) => word)
  if (excluded.length > 0) query.excluded.push({ words: excluded, isPhrase: isQuoted && excluded.length > 1 })
}
