/** More letters of a word are not told apart. PostgreSQL takes lexemes of 2,046 bytes at most. */
const maxWordLength = 64

/** Letters whose stroke or ligature Unicode does not take for an accent, and the sigma that ends a word. */
const plainLetters: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ŧ: 't',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
}

/**
 * The words a text is found by: without case and accents, letters and digits only. `Théorie d’Euler (II)` gives
 * `theorie`, `deuler`, `ii`. Documents and queries are folded here and nowhere else; see
 * docs/decisions/0006-search.md before changing it, since what is stored was folded by the version of its day.
 */
export function foldWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}'’ʼ]/gu, '')
    // Upper case first: it makes `ss` of ß.
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđðħŧæœþς]/g, (letter) => plainLetters[letter] ?? letter)
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return [...new Set(words.map((word) => [...word].slice(0, maxWordLength).join('')))]
}
