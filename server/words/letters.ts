import { foldWord } from '../../contract/fold-word.ts'

/** A text with its letters folded, and where in the original each of them came from. */
export type Folded = { text: string; placeOf: (index: number) => number }

const raised = /[⁰¹²³⁴-⁹ⁿ]/u

type Letter = { plain: string; isPower: boolean }

/** Letter by letter, so that each place is known; a text has few different ones. */
const folded = new Map<string, Letter>()
/** A library has more letters than any text, but not this many. */
const maxRemembered = 20_000

function foldOnce(letter: string): Letter {
  const known = folded.get(letter)
  if (known !== undefined) return known
  if (folded.size >= maxRemembered) folded.clear()
  const found = { plain: foldWord(letter), isPower: raised.test(letter) }
  folded.set(letter, found)
  return found
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII but the apostrophe
const isPlain = /^[\x00-\x26\x28-\x7f]*$/

/** Without case, accents and compatibility forms: `Ｅﬃcacité` is `efficacite`. A raised number is a power: `x²` is `x^2`. */
export function foldLetters(text: string): Folded {
  if (isPlain.test(text)) return { text: text.toLowerCase(), placeOf: (index) => index }
  const places: number[] = []
  let plain = ''
  let isRaised = false
  let place = 0
  for (const letter of text) {
    const { plain: now, isPower } = foldOnce(letter)
    const begins = isPower && !isRaised ? '^' : ''
    isRaised = isPower
    plain += begins + now
    for (let unit = 0; unit < begins.length + now.length; unit++) places.push(place)
    place += letter.length
  }
  return { text: plain, placeOf: (index) => places[index] ?? place }
}
