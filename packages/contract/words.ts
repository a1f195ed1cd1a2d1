import { clusters, foldLetters, isAscii, runs } from './fold.ts'
import { stopWords } from './stop-words.ts'

/** A word and its position in the text. */
type Token = { word: string; start: number; end: number }
/** A word of a text. */
export type Word = Token & {
  /** In a script without spaces between words: the word is a pair of characters, and this is the number of its run. */
  run?: number
  /** Whether it repeats the last character of a run alone, so that every character begins a word. */
  isRunEnd?: true
}
/**
 * A token that is found besides the words. `withSigns`: a word with its signs (`c++`). `course`: subject and number
 * (`csc108`). `joined`: the parts of a hyphenated word as one word. `part`: a part of a word that a line end divides.
 * `symbol`: a separate sign.
 */
type ExtraToken = Token & {
  kind: 'withSigns' | 'course' | 'joined' | 'part' | 'symbol'
  /** Its words: the index of the first one and their number. */
  at: number
  count: number
}
export type Tokens = { words: Word[]; extraTokens: ExtraToken[] }

/** Separates the words of a page from its extraTokens in the database, so it cannot be searched for. */
export const separator = '|'
/** Longer words are cut. PostgreSQL accepts lexemes of 2,046 bytes at most. */
const maxWordLength = 64

const letter = '\\p{L}\\p{N}\\p{M}'
const lineEnd = '-[ \\t]*\\r?\\n\\s*'
/** As in `pK_a`: one or two letters on each side, so that the words of `week_2` and `snake_case` stay apart. */
const subscript = `(?<![${letter}]{3})_\\{?(?=[${letter}]{1,2}(?![${letter}]))`
const link = `(?:${lineEnd}|['’ʼ‐‑-]|\\^\\{?|${subscript}|(?<=\\p{N})\\.(?=\\p{N}))`
const sign = '\\p{S}#%&@§'
const pattern = new RegExp(
  [
    `(?<landau>(?<![${letter}])[oθω]\\((?<inner>[${letter}\\s^*+{}]{1,20})\\))`,
    `(?<dot>(?<![${letter}.])\\.)?(?<word>[${letter}]+(?:${link}[${letter}]+)*)(?:\\^\\{?(?=\\+))?(?<signs>\\+{1,2}(?![${letter}])|#(?![${letter}])|%)?`,
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
/** Returns the name of a Greek letter: λ is also found by `lambda`. */
export const nameOfGreek = (word: string): string | undefined => greek.get(word)
/** Returns the letter with a name. */
export const greekLetterOf = (name: string): string | undefined => [...greek].find((pair) => pair[1] === name)?.[0]

const unitsOfRun = new RegExp(
  `[\\u0e40-\\u0e44\\u0ec0-\\u0ec4]?[${clusters}]\\p{M}*[\\u0e30\\u0e32\\u0e45\\u0eb0\\u0eb2]?|\\p{N}+|.\\p{M}*`,
  'gu',
)

/**
 * Splits a text into folded words. In scripts without spaces, note texts are read across spaces; typed texts are not.
 */
export function tokenise(original: string, { isTyped = false } = {}): Tokens {
  const { text, placeOf } = foldLetters(original)
  const words: Word[] = []
  const extraTokens: ExtraToken[] = []
  const placed = (word: string, from: number, to: number): Token => ({
    word: cut(word),
    start: placeOf(from),
    end: endOf(original, placeOf(to - 1)),
  })
  const add = (kind: ExtraToken['kind'], token: Token, at: number) => {
    if (token.word !== '') extraTokens.push({ ...token, kind, at, count: words.length - at })
  }
  /** The end of the last run, and its last character. */
  let open: { end: number; unit: string; from: number } | null = null

  function push(piece: string, from: number): void {
    let place = from
    // The separators are included in the result, so every other piece is a run of such a script.
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
      // The tail of the previous run makes a pair with the first character of this one.
      run = words.pop()?.run ?? run
      units.unshift({ unit: open.unit, from: open.from })
    }
    for (const [index, { unit, from: start }] of units.entries()) {
      const next = units[index + 1]
      const to = next ? next.from + next.unit.length : start + unit.length
      words.push({ ...placed(unit + (next?.unit ?? ''), start, to), run, ...(!next && { isRunEnd: true }) })
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
      else if (last && /^[\^_]/.test(joiner)) last.text += piece
      else pieces.push({ text: piece, from: place, link: joiner })
      place += piece.length
    }
    // Elisions and endings are dropped: l’entropie is entropie, Newton's is newton.
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
      // A Greek quantity before a letter: `Δx`, `λt`.
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
      add('withSigns', placed(`o${inner.replace(/[^\p{L}\p{N}]/gu, '')}`, from, to), at)
    } else if (word) {
      const begin = from + dot.length
      pushWord(word, begin)
      const last = words.at(-1)
      if ((dot || signs) && last)
        add('withSigns', { ...placed(`${dot}${last.word}${signs}`, from, to) }, words.length - 1)
      if (signs === '%') add('symbol', placed(signs, to - 1, to), words.length)
    } else {
      const found = many ?? alone ?? ''
      // A row of hyphens, equals signs or asterisks is only a divider.
      if (found !== separator && !/^(-+|=+|\*+)$/.test(found.length > 1 ? found : ''))
        add('symbol', placed(found, from, to), at)
    }
  }
  return { words, extraTokens: [...extraTokens, ...findCourses(original, words)] }
}

const wordsInside = new RegExp(`[${letter}]+(?:\\^\\{?[${letter}]+)*`, 'gu')

/** A course code anywhere in a text: `CSC 108`, `csc-108`. */
const isSubject = /^\p{L}{2,5}$/u
const isNumber = /^\p{N}{2,4}\p{L}?\p{N}?$/u
const isBetween = /^[\s\p{Pd}]{1,3}$/u

function findCourses(original: string, words: Word[]): ExtraToken[] {
  const courses: ExtraToken[] = []
  for (const [at, subject] of words.entries()) {
    const number = words[at + 1]
    if (!number || !isNumber.test(number.word) || !isSubject.test(subject.word)) continue
    if (!isBetween.test(original.slice(subject.end, number.start))) continue
    const word = subject.word + number.word
    courses.push({ word, start: subject.start, end: number.end, kind: 'course', at, count: 2 })
  }
  return courses
}

/**
 * Returns the words to search for: a run may continue after the typed part, so its last character alone is left out.
 */
export const withoutRunEnds = (words: Word[]): Word[] =>
  words.filter(({ isRunEnd, run }, index) => !isRunEnd || words[index - 1]?.run !== run)

/** Whether a text has words and all of them are stop words, such as the title The Who. */
export function isOfStopWords(text: string): boolean {
  const { words } = tokenise(text)
  return words.length > 0 && words.every(({ word }) => stopWords.has(word))
}

const cut = (word: string) => (word.length <= maxWordLength ? word : [...word].slice(0, maxWordLength).join(''))

/** Returns the position after the character at a place, including its accents. */
function endOf(text: string, place: number): number {
  let end = place + ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1)
  while (text.charCodeAt(end) > 0x7f && /\p{M}/u.test(text[end] ?? '')) end++
  return end
}
