/** Names as they are looked for: squeezed, anywhere in a text, or in its words alone. */
export type NameMatcher = { anywhere: readonly string[]; inWords: readonly string[] }

export const noNames: NameMatcher = { anywhere: [], inWords: [] }

const minAuthorLength = 3
/** Shorter names are parts of too many words: they are looked for as words of their own. */
const minPartLength = 4
/** Where a sign is a word, and no blanks part them, two signs say as much. */
const isIdeographic = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u

/**
 * @param authors whom the file names as its authors. Only the whole name counts: `Department of Mathematics` writes
 * many scripts, and its words are everywhere.
 * @param given names of several words, found anywhere: `Ada Lovelace` in `HW1_Ada-Lovelace.docx`; and single words, found
 * in words: `Lovelace` in `lovelace2`, but `Ada` not in `Canada`.
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

/** Without accents, case, and what shows nothing. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’ʼ]/gu, '')
    // Upper case first: it makes `ss` of ß.
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')

const findWords = (text: string): string[] => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Letters and numbers alone. */
const squeeze = (text: string) => findWords(text).join('')
