import { setImmediate } from 'node:timers/promises'
import { foldCourseCode } from '../../../../packages/contract/course-code.ts'
import { isOfStopWords, separator, tokenise, withoutTails } from '../../../../packages/contract/words.ts'
import { splitChunks } from './chunks.ts'

/**
 * Counts the rules of `packages/contract/words.ts`. A change of what a text is folded to adds one: what was stored by older rules is
 * then folded again (`refolding/refolding.jobs.ts`).
 */
export const foldVersion = 3

/** The words a text is found by, each once: `Théorie d’Euler en C++` gives `theorie`, `euler`, `en`, `c`, `c++`. */
export function foldWords(text: string): string[] {
  const { words, compounds } = tokenise(text)
  return [...new Set([...words, ...compounds].map(({ word }) => word))]
}

/** As `foldWords`, of a filter: a sign beside words is more often a slip than what is looked for. */
export function toQueryWords(text: string): string[] {
  const { words, compounds } = tokenise(text, { isTyped: true })
  const ofWords = compounds.filter(({ kind }) => kind === 'signs')
  const sought = words.length > 0 ? [...withoutTails(words), ...ofWords] : compounds
  return [...new Set(sought.map(({ word }) => word))]
}

/** The words of a line in their order, as the text of a `tsvector`. No word holds what would have to be escaped. */
export function toTsvector(text: string): string {
  const { words, compounds } = tokenise(text)
  // A tsvector has 255 places for a word; a line has fewer.
  const placed = words.slice(0, 255).map(({ word }, index) => `'${word}':${index + 1}`)
  // Found, but in nobody's order.
  const beside = compounds.map(({ word }) => `'${word}':16383`)
  return [...placed, ...beside].join(' ')
}

/** As `placedWords`; a title of stop words only, which is found by them, has the word `!`. */
export const titleWords = (title: string) => `${toTsvector(title)}${isOfStopWords(title) ? " '!':16383" : ''}`

/** As `placedWords`, for a course code, which is also found as one word: `CSC 108` by `csc108`. */
export const courseWords = (code: string) => toTsvector(`${code} ${foldCourseCode(code)}`)

/**
 * The words of a page as `document_pages.words` holds them. A page may be long, and a character of it cost ten times as much
 * as another: others get their turn after each piece.
 */
export async function pageWords(text: string): Promise<string> {
  const inOrder: string[] = []
  const beside = new Set<string>()
  for (const piece of splitChunks(text)) {
    const { words, compounds } = tokenise(piece)
    for (const { word } of words) inOrder.push(word)
    for (const { word } of compounds) beside.add(word)
    await setImmediate()
  }
  return ` ${inOrder.join(' ')} ${separator}${[...beside].map((word) => ` ${word}`).join('')} `
}
