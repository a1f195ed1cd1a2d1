import { foldWord } from '../../../../packages/contract/fold.ts'

export type Author = { name: string; email: string }

/** The position of a name in a text: from `start`, inclusive, to `end`, exclusive. */
export type NameHit = { start: number; end: number }

type Word = { text: string; folded: string; start: number; end: number }

/** Scripts that write words without spaces between them. */
const unspaced = '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmr}\\p{scx=Mymr}'
/** A word of any other script, or a number. Invisible soft hyphens, joiners and direction marks do not end it. */
const wordPattern = new RegExp(`(?![${unspaced}])\\p{L}(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{Cf}])*|\\p{N}+`, 'gu')
const unspacedName = new RegExp(`[${unspaced}](?:[${unspaced}\\s·・]*[${unspaced}])?`, 'gu')
/** Characters allowed between parts of a name: whitespace, the dot of an initial, a comma, `_` in an address. */
const isBetween = /^[\s\p{Cf}.,_·・'’ʼ-]{1,4}$/u
const particles = new Set(
  'van der den de la del della di da dos das do du von zu zur zum ten ter el al bin ibn ben y e und le los las'.split(
    ' ',
  ),
)
/** Endings that can follow a Korean name of two syllables in the same word; a longer name matches without them. */
const koreanParticles = '은|는|이|가|을|를|의|에게|께서?|와|과|도|만|로|으로|랑|이랑|씨|님|입니다|이다'
const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' }

/** A word of a name in its folded spellings. A particle alone does not identify a person. */
type NameWord = { forms: string[]; isParticle: boolean }

/**
 * Finds text on a page that identifies an author: two adjacent words of the name in any order, also inflected or with
 * particles or initials between them; a surname with an initial; the email address or its local part; a student
 * number.
 */
export function createNameMatcher({ name, email }: Author): (text: string) => NameHit[] {
  const nameWords = readName(name)
  const named = nameWords.filter((word) => !word.isParticle)
  const localPart = email.split('@')[0] ?? ''
  const address = wordsOf(localPart).map((word) => word.folded)
  const patterns = [
    new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(email)}(?![\\p{L}\\p{N}])`, 'giu'),
    ...unspacedPatterns(name),
    ...koreanPatterns(name),
  ]
  const alone = new Set(joinedForms(named).filter((word) => word.length >= 5))
  // For example `1234567` of `s1234567`.
  for (const digits of localPart.match(/\d{4,}/g) ?? []) alone.add(digits)

  return (text) => {
    const words = wordsOf(text)
    const hits = patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length })),
    )
    for (let at = 0; at < words.length; at++) {
      const count = Math.max(
        alone.has(words[at]?.folded ?? '') ? 1 : 0,
        address.join('').length >= 4 && isPhrase(text, words, at, address) ? address.length : 0,
        countNamed(text, words, at, nameWords, named.length),
      )
      const [from, to] = [words[at], words[at + count - 1]]
      if (count === 0 || !from || !to) continue
      hits.push({ start: from.start, end: to.end })
      at += count - 1
    }
    hits.sort((a, b) => a.start - b.start || b.end - a.end)
    return hits.filter((hit, at) => hits.slice(0, at).every((before) => before.end <= hit.start))
  }
}

const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/** Whether a title contains any word of the author's name or address; an anonymous note's title must not. */
export function mentionsAuthor(title: string, author: Author): boolean {
  const named = [...wordsOf(author.name), ...wordsOf(author.email.split('@')[0] ?? '')]
    .map((word) => word.folded)
    .filter((word) => word.length > 1)
  return wordsOf(title).some(({ folded }) => named.includes(folded)) || createNameMatcher(author)(title).length > 0
}

function readName(name: string): NameWord[] {
  const parts = name.normalize('NFC').split(/[\s.,_-]+/)
  const words = parts.flatMap((part, at) => {
    const pieces = wordsOf(part).map(({ text, folded }) => {
      const spelt = foldWord(text.toLowerCase().replace(/[äöüåø]/g, (letter) => umlauts[letter] ?? letter))
      return {
        forms: [...new Set([folded, spelt])],
        isParticle: (at > 0 && particles.has(folded)) || folded.length < 2,
      }
    })
    // For example `OBrien` of `O'Brien`.
    if (pieces.length > 1) pieces.at(-1)?.forms.push(foldWord(part))
    return pieces
  })
  // With fewer than two other words, a particle counts as a name word too: `Le Van`.
  return words.filter((word) => !word.isParticle).length < 2
    ? words.map((word) => ({ ...word, isParticle: words.length > 1 && (word.forms[0] ?? '').length < 2 }))
    : words
}

/** Returns the spellings of a name as one word, as in an address or a user name. */
function joinedForms(words: NameWord[]): string[] {
  const [first = '', last = ''] = [words[0]?.forms[0], words.at(-1)?.forms[0]]
  return [words.map(({ forms }) => forms[0]).join(''), first + last, last + first, (first[0] ?? '') + last]
}

const gap = '[\\s\\p{Cf}·・]{0,2}'

/** Matches a name in these scripts, with its parts in either order. */
function unspacedPatterns(name: string): RegExp[] {
  const parts = (name.normalize('NFC').match(unspacedName) ?? []).flatMap((part) => part.split(/[\s·・]+/))
  return [parts, parts.toReversed()]
    .map((order) => [...order.join('')])
    .filter((letters) => letters.length >= 2)
    .map((letters) => new RegExp(letters.join(gap), 'gu'))
}

function koreanPatterns(name: string): RegExp[] {
  const syllables = name.normalize('NFC').match(/[가-힣]/g) ?? []
  if (syllables.length < 2) return []
  const end = syllables.length > 2 ? '' : `(?=(?:${koreanParticles})?(?![가-힣]))`
  return [new RegExp(`(?<![가-힣])${syllables.join(gap)}${end}`, 'gu')]
}

function isPhrase(text: string, words: Word[], at: number, phrase: string[]): boolean {
  return phrase.every(
    (part, index) => words[at + index]?.folded === part && (index === 0 || areBeside(text, words, at + index)),
  )
}

/**
 * Examines adjacent words that can belong to a name: its words, its particles, and single letters.
 * @param needed the number of words in the name.
 * @returns how many words from `at` name the author, or 0.
 */
function countNamed(text: string, words: Word[], at: number, nameWords: NameWord[], needed: number): number {
  const full = new Set<NameWord>()
  const initials = new Set<NameWord>()
  let count = 0
  for (let next = at; next < words.length && next - at < nameWords.length + 2; next++) {
    const word = words[next]
    if (!word || (next > at && !areBeside(text, words, next))) break
    const known = nameWords.find((each) => !full.has(each) && isFormOf(word, each, needed))
    const isLetter = word.folded.length === 1 && isCapital(word)
    if (!known && !isLetter) break
    if (known && !known.isParticle) full.add(known)
    else if (!known) {
      const initial = nameWords.find(({ forms, isParticle }) => !isParticle && forms[0]?.[0] === word.folded)
      if (initial) initials.add(initial)
    }
    for (const each of full) initials.delete(each)
    const hasSurname = [...full].some((each) => each !== nameWords[0] && isCapital(word))
    if ((full.size > 0 && full.size >= Math.min(2, needed)) || (hasSurname && initials.size > 0)) count = next - at + 1
  }
  return count
}

function isFormOf({ folded, text }: Word, { forms, isParticle }: NameWord, needed: number): boolean {
  if (forms.includes(folded)) return isParticle || folded.length > 2 || isCapital({ text })
  if (isParticle) return false
  if (needed < 2) return folded === `${forms[0]}s`
  return forms.some((form) => isInflected(form, folded))
}

const maxEnding = 3
const prefixScripts = /^\p{Script=Arabic}|^\p{Script=Hebrew}/u

/** Matches `Müllers`, `Петрова` of `Петров`, `Annie` of `Anna`, and Semitic prefixes (articles, prepositions). */
function isInflected(form: string, folded: string): boolean {
  if (form.length < 3) return false
  if (prefixScripts.test(form) && folded.endsWith(form)) return folded.length - form.length <= 2
  let shared = 0
  while (shared < form.length && form[shared] === folded[shared]) shared++
  return shared >= Math.max(3, form.length - 2) && folded.length - shared <= maxEnding
}

/** In scripts without capitals every letter counts as a capital. */
const isCapital = ({ text }: { text: string }) =>
  text[0] !== text[0]?.toLowerCase() || text[0] === text[0]?.toUpperCase()

const areBeside = (text: string, words: Word[], at: number) =>
  isBetween.test(text.slice(words[at - 1]?.end, words[at]?.start))

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(wordPattern)]
    .map((match) => ({
      text: match[0],
      folded: foldWord(match[0]),
      start: match.index,
      end: match.index + match[0].length,
    }))
    .filter(({ folded }) => folded !== '')
