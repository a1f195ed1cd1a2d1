import { foldLetters } from './letters.ts'

/** A word with its place in the text it was taken from. */
type Token = { word: string; start: number; end: number }
/** One of a text's words. */
export type Word = Token & {
  /** Of what is written without blanks between words: two characters, of the run with this number. */
  run?: number
  /** The last character of a run once more, alone, so that every character begins a word. */
  isTail?: true
}
/** What several words, or a word and its signs, are found by together; a part of a hyphenated word; a sign that stands alone. */
export type Compound = Token & {
  kind: 'signs' | 'course' | 'part' | 'sign'
  /** The words it is made of: from this one, so many. */
  at: number
  count: number
}
export type Tokens = { words: Word[]; compounds: Compound[] }

/** Keeps a page's words and its compounds apart where they are stored, and is therefore no sign to look for. */
export const separator = '|'
/** More letters of a word are not told apart. PostgreSQL takes lexemes of 2,046 bytes at most. */
const maxWordLength = 64

/** Words with their signs, and signs that stand alone. */
const makePattern = (letter: string, sign: string) =>
  new RegExp(
    [
      // What ends a line with a hyphen goes on in the next.
      `(?<dot>(?<![${letter}.])\\.)?(?<word>[${letter}]+(?:-[ \\t]*\\r?\\n\\s*[${letter}]+)*)`,
      `(?<signs>\\^\\{?[${letter}]+|\\+{1,2}(?![${letter}])|#(?![${letter}])|%)?|(?<sign>[${sign}])`,
    ].join(''),
    'gu',
  )
const asciiPattern = makePattern('a-z0-9', '$+<=>^`~#%&@')
const pattern = makePattern('\\p{L}\\p{N}', '\\p{S}#%&@')
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = /^[\x00-\x7f]*$/
const isQuantity = /^\p{Script=Greek}+(?=[a-z])/u
const lineEnd = /-[ \t]*\r?\n\s*/
/** Scripts that put no blanks between words. */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const unspaced = new RegExp(`([${scripts.map((name) => `\\p{scx=${name}}`).join('')}]+)`, 'u')

/** Whether a word is a pair of characters, or one, of what is written without blanks. */
export const isUnspaced = (word: string): boolean => !isAscii.test(word) && unspaced.test(word)

/** Cuts a text into words, folded: without case and accents, letters and digits only. */
export function tokenise(original: string): Tokens {
  const { text, placeOf } = foldLetters(original)
  const words: Word[] = []
  const compounds: Compound[] = []
  const placed = (word: string, from: number, to: number): Token => ({
    word: cut(word),
    start: placeOf(from),
    end: endOf(original, placeOf(to - 1)),
  })
  const add = (kind: Compound['kind'], token: Token, at: number) =>
    compounds.push({ ...token, kind, at, count: words.length - at })

  for (const match of text.matchAll(isAscii.test(text) ? asciiPattern : pattern)) {
    const { dot = '', word, signs = '', sign } = match.groups ?? {}
    const from = match.index
    const to = from + match[0].length
    const at = words.length
    if (sign && sign !== separator) add('sign', placed(sign, from, to), at)
    if (!word) continue

    const begin = from + dot.length
    const parts = word.split(lineEnd)
    if (parts.length > 1) words.push(placed(parts.join(''), begin, begin + word.length))
    else pushWords(word, begin, words, placed)
    let partAt = begin
    for (const part of parts.length > 1 ? parts : []) {
      partAt = text.indexOf(part, partAt)
      add('part', placed(part, partAt, partAt + part.length), at)
    }
    // A quantity before the letter it belongs to: `Δx`, `λt`.
    const quantity = isQuantity.exec(word)?.[0]
    if (quantity) add('part', placed(quantity, begin, begin + quantity.length), at)
    if (signs === '%') add('sign', placed(signs, to - 1, to), words.length)
    if (!dot && !signs) continue
    const last = words.length - 1
    const power = signs.replace(/^\^\{?/, '')
    if (power !== signs) words.push(placed(power, to - power.length, to))
    const whole = `${dot}${words[last]?.word ?? ''}${power === signs ? signs : `^${power}`}`
    compounds.push({ ...placed(whole, from, to), kind: 'signs', at: last, count: words.length - last })
  }
  return { words, compounds: [...compounds, ...findCourses(original, words)] }
}

type Place = (word: string, from: number, to: number) => Token

/** A word; of what is written without blanks two characters each, one of them shared with the next. */
function pushWords(text: string, from: number, words: Word[], placed: Place): void {
  let place = from
  // Split with what it is split at: every other piece is a run of such a script.
  for (const [index, piece] of (isAscii.test(text) ? [text] : text.split(unspaced)).entries()) {
    if (piece && index % 2 === 0) words.push(placed(piece, place, place + piece.length))
    else pushRun([...piece], place, words, placed)
    place += piece.length
  }
}

function pushRun(characters: string[], from: number, words: Word[], placed: Place): void {
  const run = words.length
  let place = from
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1]
    const pair = character + (next ?? '')
    words.push({ ...placed(pair, place, place + pair.length), run, ...(next === undefined && { isTail: true }) })
    place += character.length
  }
}

/** `CSC 108`, `csc-108`: a course wherever it stands. */
const isSubject = /^\p{L}{2,5}$/u
const isNumber = /^\p{N}{2,4}\p{L}?\p{N}?$/u
const isBetween = /^[\s\p{Pd}]{1,3}$/u

function findCourses(original: string, words: Word[]): Compound[] {
  const courses: Compound[] = []
  for (const [at, subject] of words.entries()) {
    const number = words[at + 1]
    if (!number || !isNumber.test(number.word) || !isSubject.test(subject.word)) continue
    if (!isBetween.test(original.slice(subject.end, number.start))) continue
    courses.push({
      word: subject.word + number.word,
      start: subject.start,
      end: number.end,
      kind: 'course',
      at,
      count: 2,
    })
  }
  return courses
}

/** Words as they are looked for: a run may go on where the typed one ends, whose last character says no more. */
export const withoutTails = (words: Word[]): Word[] =>
  words.filter(({ isTail, run }, index) => !isTail || words[index - 1]?.run !== run)

const cut = (word: string) => (word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join(''))

/** Behind the character at a place, with its accents. */
function endOf(text: string, place: number): number {
  let end = place + ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1)
  while (text.charCodeAt(end) > 0x7f && /\p{M}/u.test(text[end] ?? '')) end++
  return end
}
