import { setImmediate } from 'node:timers/promises'
import { foldCourseCode } from '../../../../packages/contract/course-code.ts'
import { isOfStopWords, separator, tokenise, withoutRunEnds } from '../../../../packages/contract/words.ts'

/**
 * Version of the rules in `fold.ts` and `words.ts` of `packages/contract`. Increment it when the result of folding
 * changes; texts stored by older rules are then folded again (`reindex.ts`).
 */
export const foldVersion = 4

/** Returns the distinct words that find a text: `Théorie d’Euler en C++` gives `theorie`, `euler`, `en`, `c`, `c++`. */
export function foldWords(text: string): string[] {
  const { words, extraTokens } = tokenise(text)
  return [...new Set([...words, ...extraTokens].map(({ word }) => word))]
}

/** Like `foldWords`, for a filter: a sign beside words is ignored, because it is usually a typing error. */
export function toQueryWords(text: string): string[] {
  const { words, extraTokens } = tokenise(text, { isTyped: true })
  const ofWords = extraTokens.filter(({ kind }) => kind === 'withSigns')
  const sought = words.length > 0 ? [...withoutRunEnds(words), ...ofWords] : extraTokens
  return [...new Set(sought.map(({ word }) => word))]
}

/** Returns the words of a single-line text in order, as the text of a `tsvector`. No word needs escaping. */
export function toTsvector(text: string): string {
  const { words, extraTokens } = tokenise(text)
  // A tsvector has 255 positions for a word; a single-line text has fewer words.
  const placed = words.slice(0, 255).map(({ word }, index) => `'${word}':${index + 1}`)
  // Compounds are found but have no position in the order.
  const beside = extraTokens.map(({ word }) => `'${word}':16383`)
  return [...placed, ...beside].join(' ')
}

/** Like `toTsvector`; a title of only stop words also has the word `!`, so that stop words find it. */
export const titleWords = (title: string) => `${toTsvector(title)}${isOfStopWords(title) ? " '!':16383" : ''}`

/** Like `toTsvector`, for a course code, which is also found as one word: `CSC 108` by `csc108`. */
export const courseWords = (code: string) => toTsvector(`${code} ${foldCourseCode(code)}`)

/**
 * Returns the words of a page as `document_pages.words` holds them. A page may be long, and some characters cost ten
 * times as much as others, so other work runs after each piece.
 */
export async function pageWords(text: string): Promise<string> {
  const inOrder: string[] = []
  const beside = new Set<string>()
  for (const piece of splitChunks(text)) {
    const { words, extraTokens } = tokenise(piece)
    for (const { word } of words) inOrder.push(word)
    for (const { word } of extraTokens) beside.add(word)
    await setImmediate()
  }
  return ` ${inOrder.join(' ')} ${separator}${[...beside].map((word) => ` ${word}`).join('')} `
}

/** Characters folded without a break, which takes a few milliseconds for any text. */
const pieceLength = 2_000
/** How far behind `pieceLength` a place to cut is searched. No readable text has longer words. */
const lookAhead = 500

/**
 * Scripts whose words are read across spaces. `gap` excludes them, and the space of a course code such as `CSC 108`.
 */
const unbroken = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((name) => `\\p{scx=${name}}`)
  .join('')
const gap = new RegExp(`[^\\s\\p{Pd}${unbroken}](?=\\s+[^\\s\\p{N}])`, 'u')

/** Splits a text into pieces with the same words as the text. A long text without spaces is cut anywhere. */
function* splitChunks(text: string): Generator<string> {
  let from = 0
  while (text.length - from > pieceLength + lookAhead) {
    const least = from + pieceLength
    const found = gap.exec(text.slice(least, least + lookAhead))
    const to = wholeCharacter(text, least + (found ? found.index + found[0].length : 0))
    yield text.slice(from, to)
    from = to
  }
  yield text.slice(from)
}

/** Returns the place, or the next one if it is inside a surrogate pair. */
export const wholeCharacter = (text: string, place: number): number =>
  /[\udc00-\udfff]/.test(text[place] ?? '') ? place + 1 : place
