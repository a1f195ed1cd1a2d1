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
export function* splitChunks(text: string): Generator<string> {
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
