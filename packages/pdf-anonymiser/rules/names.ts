/** Names in search form: without separators to find anywhere in a text, or as parts of single words. */
export type NameMatcher = { anywhere: readonly string[]; inWords: readonly string[] }

export const noNames: NameMatcher = { anywhere: [], inWords: [] }

const minAuthorLength = 3
/** A shorter name is part of too many words, so it must match a whole word. */
const minPartLength = 4
/** In scripts where a character is a word and no blanks separate words, two characters are specific enough. */
const isIdeographic = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u

/**
 * @param authors the authors that the file names. Only the whole name counts: `Department of Mathematics` is an author
 * too, and its words occur everywhere.
 * @param given names of several words, found anywhere: `Ada Lovelace` in `HW1_Ada-Lovelace.docx`; and single words,
 * found in words: `Lovelace` in `lovelace2`, but `Ada` not in `Canada`.
 */
export function readNames(authors: readonly string[], given: readonly string[]): NameMatcher {
  const isPhrase = (name: string) => findWords(name).length > 1
  return {
    anywhere: [
      ...authors.map(squeeze).filter((name) => name.length >= minAuthorLength),
      ...given.filter(isPhrase).map(squeeze).filter(isTelling),
    ],
    inWords: given.filter((name) => !isPhrase(name)).flatMap(findWords),
  }
}

export function containsName(text: string, { anywhere, inWords }: NameMatcher): boolean {
  const squeezed = squeeze(text)
  if (anywhere.some((name) => squeezed.includes(name))) return true
  const words = inWords.length > 0 ? findWords(text) : []
  return inWords.some((name) => words.some((word) => word === name || (isTelling(name) && word.includes(name))))
}

const isTelling = (name: string) => name.length >= minPartLength || isIdeographic.test(name)

/** Removes accents, case and invisible characters. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’ʼ]/gu, '')
    // Upper case comes first, because it converts ß to `ss`.
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')

const findWords = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Keeps only letters and numbers. */
const squeeze = (text: string) => findWords(text).join('')
