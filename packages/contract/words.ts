import { stopWords } from './stop-words.ts'

/** A word with its place in the text it was taken from. */
type Token = { word: string; start: number; end: number }
/** One of a text's words. */
export type Word = Token & {
  /** Of text without blanks between words: a pair of characters, of the run with this number. */
  run?: number
  /** The last character of a run once more, alone, so that every character begins a word. */
  isTail?: true
}
/**
 * What is found besides the words. `signs`: a word with its signs (`c++`). `course`: subject and number (`csc108`). `joined`: the
 * parts of a hyphenated word as one word. `part`: a part of a word that a line end divides. `sign`: a sign that stands alone.
 */
type Compound = Token & {
  kind: 'signs' | 'course' | 'joined' | 'part' | 'sign'
  /** The words it is made of: from this one, so many. */
  at: number
  count: number
}
export type Tokens = { words: Word[]; compounds: Compound[] }

/** A text with its letters folded, and where in the original each of them came from. */
export type Folded = { text: string; placeOf: (index: number) => number }

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
/** Only in these scripts is a letter with a mark the same letter: दि and दा, ปี and ปู, か and が are different. */
const losesMarks = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u
const isMark = /^\p{M}+$/u
const isJamo = /^[\u1100-\u11ff]$/u

const known = new Map<string, string>()
/** A library has more letters than any text, but not this many. */
const maxKnown = 20_000

function foldOnce(letter: string): string {
  const found = known.get(letter)
  if (found !== undefined) return found
  if (known.size >= maxKnown) known.clear()
  // Upper case first: it makes `ss` of ß.
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
const isAscii = /^[\x00-\x7f]*$/

/** Without case, compatibility forms and, in Latin, Greek and Cyrillic, accents: `Ｅﬃcacité` is `efficacite`, `mc²` is `mc2`. */
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

/** A word, or a letter, folded and without apostrophes: how names are compared on both sides. */
export const foldWord = (word: string): string => foldLetters(word).text.replace(/['’ʼ]/g, '')

/** Keeps a page's words and its compounds apart where they are stored, and is therefore no sign to look for. */
export const separator = '|'
/** More letters of a word are not told apart. PostgreSQL takes lexemes of 2,046 bytes at most. */
const maxWordLength = 64

const letter = '\\p{L}\\p{N}\\p{M}'
const lineEnd = '-[ \\t]*\\r?\\n\\s*'
const link = `(?:${lineEnd}|['’ʼ‐‑-]|\\^\\{?|(?<=\\p{N})\\.(?=\\p{N}))`
const sign = '\\p{S}#%&@§'
const pattern = new RegExp(
  [
    `(?<landau>(?<![${letter}])[oθω]\\((?<inner>[${letter}\\s^*+{}]{1,20})\\))`,
    `(?<dot>(?<![${letter}.])\\.)?(?<word>[${letter}]+(?:${link}[${letter}]+)*)(?<signs>\\+{1,2}(?![${letter}])|#(?![${letter}])|%)?`,
    `(?<many>[${sign}*:!/|-]{2,4}(?![${sign}*:!/|-]))`,
    `(?<sign>[${sign}])`,
  ].join('|'),
  'gu',
)
const isLink = new RegExp(`(${link})`, 'u')
const isLineEnd = new RegExp(lineEnd)
const isQuantity = /^\p{Script=Greek}+(?=[a-z])/u
const elisions = new Set('l d qu j n m t s c jusqu lorsqu puisqu quoiqu dell nell all sull un'.split(' '))
const endings = new Set('s ll re ve d m'.split(' '))
const greek = new Map(
  'α alpha β beta γ gamma δ delta ε epsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu ν nu ξ xi ο omicron π pi ρ rho σ sigma τ tau υ upsilon φ phi χ chi ψ psi ω omega'
    .match(/\S+ \S+/g)
    ?.map((pair) => pair.split(' ') as [string, string]),
)
/** The name of a Greek letter: λ is also found by `lambda`. */
export const nameOfGreek = (word: string): string | undefined => greek.get(word)

const scripts = (names: string[]) => names.map((name) => `\\p{scx=${name}}`).join('')
const characters = scripts(['Han', 'Hiragana', 'Katakana', 'Hangul'])
const clusters = scripts(['Thai', 'Lao', 'Khmer', 'Myanmar'])
/** A number inside is one character. */
const runs = new RegExp(`([${characters}](?:[${characters}]|\\p{N}+(?=[${characters}]))*|[${clusters}]+)`, 'u')
const unitsOfRun = new RegExp(
  `[\\u0e40-\\u0e44\\u0ec0-\\u0ec4]?[${clusters}]\\p{M}*[\\u0e30\\u0e32\\u0e45\\u0eb0\\u0eb2]?|\\p{N}+|.\\p{M}*`,
  'gu',
)

/** Whether a word is a pair of characters, or one, of a script without blanks between words. */
export const isUnspaced = (word: string): boolean => !isAscii.test(word) && runs.test(word)

/**
 * Cuts a text into words, folded. Texts of notes are read across blanks in scripts that often have none, typed ones are not.
 */
export function tokenise(original: string, { isTyped = false } = {}): Tokens {
  const { text, placeOf } = foldLetters(original)
  const words: Word[] = []
  const compounds: Compound[] = []
  const placed = (word: string, from: number, to: number): Token => ({
    word: cut(word),
    start: placeOf(from),
    end: endOf(original, placeOf(to - 1)),
  })
  const add = (kind: Compound['kind'], token: Token, at: number) => {
    if (token.word !== '') compounds.push({ ...token, kind, at, count: words.length - at })
  }
  /** The end of the last run, and what it ends with. */
  let open: { end: number; unit: string; from: number } | null = null

  function push(piece: string, from: number): void {
    let place = from
    // Split with what it is split at: every other piece is a run of such a script.
    for (const [index, part] of (isAscii.test(piece) ? [piece] : piece.split(runs)).entries()) {
      if (index % 2 === 1) pushRun(part, place)
      else if (part !== '') words.push(placed(part, place, place + part.length))
      place += part.length
    }
  }

  function pushRun(piece: string, from: number): void {
    const units = [...piece.matchAll(unitsOfRun)].map((match) => ({ unit: match[0], from: from + match.index }))
    const isContinued = open !== null && !isTyped && /^\s*$/.test(text.slice(open.end, from))
    let run = words.length
    if (open !== null && isContinued) {
      // The tail of the run before makes a pair with the first character of this one.
      run = words.pop()?.run ?? run
      units.unshift({ unit: open.unit, from: open.from })
    }
    for (const [index, { unit, from: start }] of units.entries()) {
      const next = units[index + 1]
      const to = next ? next.from + next.unit.length : start + unit.length
      words.push({ ...placed(unit + (next?.unit ?? ''), start, to), run, ...(!next && { isTail: true }) })
    }
    const last = units.at(-1)
    if (last) open = { end: from + piece.length, unit: last.unit, from: last.from }
  }

  function pushWord(word: string, begin: number): void {
    const pieces: { text: string; from: number; link: string }[] = []
    let place = begin
    let joiner = ''
    for (const [index, piece] of word.split(isLink).entries()) {
      const last = pieces.at(-1)
      if (index % 2 === 1) joiner = piece
      else if (last && joiner === '.') last.text += `.${piece}`
      else if (last && joiner.startsWith('^')) last.text += piece
      else pieces.push({ text: piece, from: place, link: joiner })
      place += piece.length
    }
    // Elisions and endings say nothing: l’entropie is entropie, Newton's is newton.
    const isApostrophe = (link = '') => /^['’ʼ]$/.test(link)
    const kept = pieces.filter(({ text: piece, link }, index) => {
      const after = pieces[index + 1]
      if (isApostrophe(after?.link) && elisions.has(piece) && (after?.text.length ?? 0) > 1) return false
      return !(isApostrophe(link) && endings.has(piece))
    })
    const at = words.length
    const [first] = kept
    if (!first) {
      push(pieces.map(({ text: piece }) => piece).join(''), begin)
      return
    }
    const end = begin + word.length
    const joined = kept.map(({ text: piece }) => piece).join('')
    if (kept.some(({ link }) => isLineEnd.test(link))) {
      words.push(placed(joined, first.from, end))
      for (const { text: piece, from } of kept) add('part', placed(piece, from, from + piece.length), at)
      return
    }
    for (const { text: piece, from } of kept) push(piece, from)
    if (kept.length > 1) add('joined', placed(joined, first.from, end), at)
    for (const { text: piece, from } of kept) {
      // A quantity before the letter it belongs to: `Δx`, `λt`.
      const quantity = isQuantity.exec(piece)?.[0]
      const name = greek.get(quantity ?? piece)
      if (quantity) add('part', placed(quantity, from, from + quantity.length), at)
      if (name) add('part', placed(name, from, from + piece.length), at)
    }
  }

  for (const match of text.matchAll(pattern)) {
    const { landau, inner = '', dot = '', word, signs = '', many, sign: alone } = match.groups ?? {}
    const from = match.index
    const to = from + match[0].length
    const at = words.length
    if (landau) {
      for (const part of landau.matchAll(wordsInside)) pushWord(part[0], from + part.index)
      add('signs', placed(`o${inner.replace(/[^\p{L}\p{N}]/gu, '')}`, from, to), at)
    } else if (word) {
      const begin = from + dot.length
      pushWord(word, begin)
      const last = words.at(-1)
      if ((dot || signs) && last) add('signs', { ...placed(`${dot}${last.word}${signs}`, from, to) }, words.length - 1)
      if (signs === '%') add('sign', placed(signs, to - 1, to), words.length)
    } else {
      const found = many ?? alone ?? ''
      // A line of hyphens or signs of equality only divides.
      if (found !== separator && !/^(-+|=+|\*+)$/.test(found.length > 1 ? found : ''))
        add('sign', placed(found, from, to), at)
    }
  }
  return { words, compounds: [...compounds, ...findCourses(original, words)] }
}

const wordsInside = new RegExp(`[${letter}]+(?:\\^\\{?[${letter}]+)*`, 'gu')

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
    const word = subject.word + number.word
    courses.push({ word, start: subject.start, end: number.end, kind: 'course', at, count: 2 })
  }
  return courses
}

/** Words as they are looked for: a run may go on where the typed one ends, whose last character says no more. */
export const withoutTails = (words: Word[]): Word[] =>
  words.filter(({ isTail, run }, index) => !isTail || words[index - 1]?.run !== run)

/** Whether a text has words, and all of them say nothing by themselves: a title such as The Who. */
export function isOfStopWords(text: string): boolean {
  const { words } = tokenise(text)
  return words.length > 0 && words.every(({ word }) => stopWords.has(word))
}

const cut = (word: string) => (word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join(''))

/** Behind the character at a place, with its accents. */
function endOf(text: string, place: number): number {
  let end = place + ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1)
  while (text.charCodeAt(end) > 0x7f && /\p{M}/u.test(text[end] ?? '')) end++
  return end
}
