import { foldWord, isUnspaced } from '../../../../packages/contract/fold.ts'
import { wordForms } from '../../../../packages/contract/plural-forms.ts'
import { readSearchText } from '../../../../packages/contract/search-text.ts'
import { stopWords } from '../../../../packages/contract/stop-words.ts'

/** A word or "phrase" of a search, as typed, and its other forms. */
export type SearchWord = { typed: string; forms: string[] }

/**
 * The words and "phrases" of a search, each highlighted separately. Stop words and words of one or two letters are
 * omitted if others remain, because they would match all over the page. In Chinese and Japanese, two signs are a word.
 */
export function parseSearch(text: string): SearchWord[] {
  const words = readSearchText(text).flatMap(({ kind, isExcluded, text: typed }) => {
    if (isExcluded) return []
    return kind === 'words' ? [withForms(typed)] : kind === 'phrase' ? [{ typed, forms: [] }] : []
  })
  const given = words.filter(
    ({ typed }, at) => typed !== '' && words.findIndex((other) => other.typed === typed) === at,
  )
  const long = given.filter(({ typed }) => [...typed].length > (isUnspaced(foldWord(typed)) ? 1 : 2))
  const telling = long.filter(({ typed }) => !stopWords.has(foldWord(typed)))
  return [telling, long, given].find((some) => some.length > 0) ?? []
}

const withForms = (typed: string): SearchWord => ({ typed, forms: wordForms(typed.toLowerCase()).slice(1) })

const letters = [
  ['ss', 'ß'],
  ['ae', 'æ'],
  ['oe', 'œ'],
  ['o', 'ø'],
  ['l', 'ł'],
  ['d', 'đ'],
] as const

/** The typed text and other spellings of it: pdf.js itself ignores only diacritics. */
export function spellingsOf(typed: string): string[] {
  const plain = letters.reduce((text, [base, letter]) => text.replaceAll(letter, base), typed.toLowerCase())
  const others = [plain, ...letters.map(([base, letter]) => plain.replaceAll(base, letter))]
  return [typed, ...new Set(others.filter((text) => text !== typed.toLowerCase()))]
}

type Place = { index: number; length: number }

/** Adds phrases with punctuation between their words: the server's search finds them, but pdf.js does not. */
function withPhrases(found: Place[], text: string, words: SearchWord[]): Place[] {
  const phrases = words
    .map(({ typed }) => foldWord(typed).match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((inOrder) => inOrder.length > 1)
    .map((inOrder) => inOrder.map((word) => [...word].join('\\p{M}*')).join('[^\\p{L}\\p{N}]{1,10}'))
  if (phrases.length === 0) return found
  const places = [...text.matchAll(new RegExp(phrases.join('|'), 'giu'))].map((match) => ({
    index: match.index,
    length: match[0].length,
  }))
  const isIn = (place: Place, other: Place) =>
    place.index >= other.index && place.index + place.length <= other.index + other.length
  const others = found.filter((place) => !places.some((other) => isIn(place, other)))
  return [...places, ...others].sort((one, other) => one.index - other.index)
}

/** A place in a page's text, and the index of its word; -1 for none. */
export type Hit = Place & { word: number }

/** The hits that count: a form that was not typed has to be a whole word. */
export function readHits(found: Place[], text: string, words: SearchWord[]): Hit[] {
  return withPhrases(found, text, words).flatMap(({ index, length }) => {
    const end = index + length
    const hit = fold(text.slice(index, end))
    const typed = words.findIndex((word) => fold(word.typed) === hit)
    if (typed !== -1) return [{ index, length, word: typed }]
    const word = words.findIndex(({ forms }) => forms.includes(hit))
    const isWhole = !isLetter.test(text.charAt(index - 1)) && !isLetter.test(text.charAt(end))
    return word !== -1 && !isWhole ? [] : [{ index, length, word }]
  })
}

const isLetter = /[\p{L}\p{N}]/u
const fold = (text: string) => foldWord(text).replaceAll(/\s/g, '')

/** The index of the hit where most different words are closest together; the first of several. */
export function findDensestMatch(hits: Hit[]): number {
  let best = { at: 0, words: 0, between: 0 }
  /** The next hit of each word from here on, the nearest inserted last. */
  const next = new Map<number, Hit>()
  for (const [at, first] of [...hits.entries()].toReversed()) {
    next.delete(first.word)
    next.set(first.word, first)
    const [last = first] = next.values()
    const inWords = [...next.values()].reduce((sum, { length }) => sum + length, 0)
    const between = last.index + last.length - first.index - inWords
    if (next.size > best.words || between <= best.between) best = { at, words: next.size, between }
  }
  return best.at
}
