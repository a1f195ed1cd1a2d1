/** A text with folded letters, and a function from its positions to those of the original. */
export type Folded = { text: string; placeOf: (index: number) => number }

/** Letters with a stroke or ligature that Unicode does not decompose, and the final sigma. */
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
/** Only in these scripts do marks not change the letter: दि and दा, ปี and ปู, か and が are different. */
const losesMarks = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u
const isMark = /^\p{M}+$/u
const isJamo = /^[\u1100-\u11ff]$/u

const known = new Map<string, string>()
/** Limits the cache. A library has more different letters than any text, but fewer than this. */
const maxKnown = 20_000

function foldOnce(letter: string): string {
  const found = known.get(letter)
  if (found !== undefined) return found
  if (known.size >= maxKnown) known.clear()
  // Upper case comes first, because it turns ß into `ss`.
  const cased = letter
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
  const bare = losesMarks.test(cased) && cased !== 'й' ? cased.normalize('NFD').replace(/\p{M}/gu, '') : cased
  const plain = bare.replace(/[øłđðħŧæœþς]/g, (each) => plainLetters[each] ?? each)
  known.set(letter, plain)
  return plain
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
export const isAscii = /^[\x00-\x7f]*$/

/**
 * Removes case, compatibility forms and, in Latin, Greek and Cyrillic, accents: `Ｅﬃcacité` is `efficacite`, `mc²` is
 * `mc2`.
 */
export function foldLetters(text: string): Folded {
  if (isAscii.test(text)) return { text: text.toLowerCase(), placeOf: (index) => index }
  const places: number[] = []
  let plain = ''
  let place = 0
  for (const letter of text) {
    let now = foldOnce(letter)
    if (letter > '\x7f' && (isMark.test(now) || isJamo.test(now))) {
      const last = plain.at(-1) ?? ''
      if (isMark.test(now) && (losesMarks.test(last) || last <= '\x7f'))
        now = last === 'и' && now === '\u0306' ? now : ''
      const composed = (last + now).normalize('NFC')
      if (now !== '' && composed.length === last.length) {
        plain = plain.slice(0, plain.length - last.length) + composed
        now = ''
      }
    }
    plain += now
    for (let unit = 0; unit < now.length; unit++) places.push(place)
    place += letter.length
  }
  return { text: plain, placeOf: (index) => places[index] ?? place }
}

/** Folds a word or letter and removes apostrophes, for the comparison of names on server and pages. */
export const foldWord = (word: string): string => foldLetters(word).text.replace(/['’ʼ]/g, '')

const scripts = (names: string[]) => names.map((name) => `\\p{scx=${name}}`).join('')
const characters = scripts(['Han', 'Hiragana', 'Katakana', 'Hangul'])
export const clusters = scripts(['Thai', 'Lao', 'Khmer', 'Myanmar'])
/** A run of characters of scripts without spaces between words. A number inside a run counts as one character. */
export const runs = new RegExp(`([${characters}](?:[${characters}]|\\p{N}+(?=[${characters}]))*|[${clusters}]+)`, 'u')

/** Whether a word is a pair of characters, or one, of a script without spaces between words. */
export const isUnspaced = (word: string): boolean => !isAscii.test(word) && runs.test(word)
