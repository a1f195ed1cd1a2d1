import { foldWord } from '../../../contract/words.ts'

export type Author = { name: string; email: string }

/** Where a name stands in a text: from `start` up to `end`. */
export type NameHit = { start: number; end: number }

type Word = { folded: string; start: number; end: number }

/** Soft hyphens, joiners and marks of direction show nothing and end no word. */
const wordPattern = /[\p{L}\p{M}\p{N}'’ʼ\p{Cf}]+/gu
/** What may stand between the parts of a name: blanks and line ends, the dot of an initial, a comma, `_` in an address. */
const isBetween = /^[\s\p{Cf}.,_·-]{1,4}$/u

/**
 * Finds what names an author in the text of a page: the whole name in either order, with or without what stands in the
 * middle; the surname with an initial; the part of the e-mail before the `@`; a student number.
 */
export function nameFinder({ name, email }: Author): (text: string) => NameHit[] {
  const names = wordsOf(name).map((word) => word.folded)
  const localPart = email.split('@')[0] ?? ''
  const phrases = namesOf(names)
  const address = wordsOf(localPart).map((word) => word.folded)
  if (address.join('').length >= 4) phrases.push(address)
  // Written together, as in an address or an account.
  const [first = '', last = ''] = [names[0], names.at(-1)]
  const alone = new Set([names.join(''), first + last, (first[0] ?? '') + last].filter((word) => word.length >= 5))
  // `1234567` of `s1234567`.
  for (const digits of localPart.match(/\d{4,}/g) ?? []) alone.add(digits)
  const surname = names.length > 1 ? last : null

  return (text) => {
    const words = wordsOf(text)
    const hits: NameHit[] = []
    for (let at = 0; at < words.length; at++) {
      const count = Math.max(
        alone.has(words[at]?.folded ?? '') ? 1 : 0,
        ...phrases.map((phrase) => (matches(text, words, at, phrase) ? phrase.length : 0)),
        surname === null ? 0 : countInitialed(text, words, at, first[0] ?? '', surname),
      )
      const [from, to] = [words[at], words[at + count - 1]]
      if (count === 0 || !from || !to) continue
      hits.push({ start: from.start, end: to.end })
      at += count - 1
    }
    return hits
  }
}

/** Whether any word of a title is of an author's name or address: such words do not stay in an anonymous note's title. */
export function isNamedIn(title: string, author: Author): boolean {
  const named = [...wordsOf(author.name), ...wordsOf(author.email.split('@')[0] ?? '')]
    .map((word) => word.folded)
    .filter((word) => word.length > 1)
  return wordsOf(title).some(({ folded }) => named.includes(folded)) || nameFinder(author)(title).length > 0
}

/** A name's words in the orders they are written in. */
function namesOf(names: string[]): string[][] {
  const [first, last] = [names[0], names.at(-1)]
  if (first === undefined || last === undefined) return []
  if (names.length === 1) return first.length >= 3 ? [[first]] : []
  return [names, [first, last], [last, first], [last, ...names.slice(0, -1)]]
}

function matches(text: string, words: Word[], at: number, phrase: string[]): boolean {
  return phrase.every(
    (part, index) => words[at + index]?.folded === part && (index === 0 || areBeside(text, words, at + index)),
  )
}

/** `A. Okafor`, `A. B. Okafor`, `Okafor, A.` @returns how many words from `at` on, or 0. */
function countInitialed(text: string, words: Word[], at: number, initial: string, surname: string): number {
  const first = words[at]?.folded
  if (first === surname) return words[at + 1]?.folded === initial && areBeside(text, words, at + 1) ? 2 : 0
  if (first !== initial) return 0
  for (let count = 2; count <= 3; count++) {
    const word = words[at + count - 1]
    if (!word || !areBeside(text, words, at + count - 1)) return 0
    if (word.folded === surname) return count
    if (word.folded.length > 1) return 0
  }
  return 0
}

const areBeside = (text: string, words: Word[], at: number) =>
  isBetween.test(text.slice(words[at - 1]?.end, words[at]?.start))

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(wordPattern)]
    .map((match) => ({ folded: foldWord(match[0]), start: match.index, end: match.index + match[0].length }))
    .filter(({ folded }) => folded !== '')
