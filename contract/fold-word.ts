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
/** Accents, apostrophes, and what shows nothing: soft hyphens, joiners, marks of direction. */
const dropped = /[\p{M}'’ʼ\p{Cf}]/gu

/** A word, or a letter, without case, accents and compatibility forms: how names and titles are compared on both sides. */
export function foldWord(word: string): string {
  return (
    word
      .normalize('NFKD')
      .replace(dropped, '')
      // Upper case first: it makes `ss` of ß.
      .toUpperCase()
      .toLowerCase()
      .replace(/[øłđðħŧæœþς]/g, (plain) => plainLetters[plain] ?? plain)
  )
}
