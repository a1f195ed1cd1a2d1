/** Characters that are folded at once: a few milliseconds, whatever they are. */
const pieceLength = 2_000
/** So far a place to cut at is looked for behind that. No text that is read has longer words. */
const lookAhead = 500

/** A blank that nothing is read across: not a course's, nor in a script that is read across blanks. */
const unbroken = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((name) => `\\p{scx=${name}}`)
  .join('')
const gap = new RegExp(`[^\\s\\p{Pd}${unbroken}](?=\\s+[^\\s\\p{N}])`, 'u')

/** Cuts a text into pieces whose words are those of the text; what has no blanks for long is cut anywhere. */
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

/** The place, or the next where it is inside of a character. */
export const wholeCharacter = (text: string, place: number): number =>
  /[\udc00-\udfff]/.test(text[place] ?? '') ? place + 1 : place
