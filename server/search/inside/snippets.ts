import type { Snippet } from '../../../contract/search.ts'
import { wordForms } from '../../../contract/word-forms.ts'
import { foldLetters } from '../../words/letters.ts'
import { wholeCharacter } from '../../words/pieces.ts'
import { isUnspaced } from '../../words/tokens.ts'
import type { Passage } from './inside.queries.ts'
import type { Term } from './terms.ts'

/** Characters before the first match and behind it. */
const before = 60
const length = 200
/**
 * Matches that are looked at. A page that has more of them is full of them: those of its densest passage are hardly more
 * than those of the densest among the first.
 */
const maxMatches = 500

/** Cuts a passage out of a page, around what was found. Null where nothing of it can be shown. */
export function makeSnippet({ page, text }: Passage, find: RegExp): Snippet | null {
  const { text: folded, placeOf } = foldLetters(text)
  const matches = folded
    .matchAll(find)
    .take(maxMatches)
    .map((match) => ({ start: placeOf(match.index), end: placeOf(match.index + match[0].length) }))
    .toArray()
  const best = densest(matches)
  if (!best) return null
  const from = beginOfWord(text, Math.max(0, best.start - before))
  const to = endOfWord(text, Math.min(text.length, Math.max(best.end, from + length)))
  const parts: Snippet['parts'] = []
  let at = from
  for (const { start, end } of matches) {
    if (start < at || end > to) continue
    if (start > at) parts.push({ text: plain(text.slice(at, start)), isMatch: false })
    parts.push({ text: plain(text.slice(start, end)), isMatch: true })
    at = end
  }
  if (at < to) parts.push({ text: plain(text.slice(at, to)), isMatch: false })
  if (from > 0) parts.unshift({ text: '…', isMatch: false })
  if (to < text.length) parts.push({ text: '…', isMatch: false })
  return { page, parts: joined(parts) }
}

type Span = { start: number; end: number }

/** The match that most others come soon after. */
function densest(matches: Span[]): Span | undefined {
  let best = matches[0]
  let most = 0
  let behind = 0
  for (const [index, match] of matches.entries()) {
    while ((matches[behind]?.end ?? Number.POSITIVE_INFINITY) < match.start + length - before) behind++
    if (behind - index > most) [best, most] = [match, behind - index]
  }
  return best
}

/** What ends a line is a blank here, and what nobody can see is left out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: leaving them out is the point
const plain = (text: string) => text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/gu, ' ').replace(/[\p{Cf}\p{Cs}]/gu, '')

function joined(parts: Snippet['parts']): Snippet['parts'] {
  const result: Snippet['parts'] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (last?.isMatch === part.isMatch) last.text += part.text
    else if (part.text !== '') result.push({ ...part })
  }
  return result
}

const isInWord = (text: string, place: number) => /[\p{L}\p{N}\p{M}]{2}/u.test(text.slice(place - 1, place + 1))
/** A word is shown whole, unless it has no end. */
const longWord = 30
function beginOfWord(text: string, place: number): number {
  for (let at = place; at > Math.max(0, place - longWord); at--) if (!isInWord(text, at)) return at
  return wholeCharacter(text, place)
}
function endOfWord(text: string, place: number): number {
  for (let at = place; at < Math.min(text.length, place + longWord); at++) if (!isInWord(text, at)) return at
  return wholeCharacter(text, place)
}

const quoteMeta = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
/** A word may be broken at the end of a line. */
const broken = (word: string) => [...word].map(quoteMeta).join('(?:-[ \\t]*\\r?\\n\\s*)?')
const gap = '[^\\p{L}\\p{N}]{1,10}'

/** Finds what was looked for in a folded text. */
export function makeFinder(terms: Term[]): RegExp {
  const patterns = terms.flatMap((term) => {
    const signs = term.compounds.map((word) => quoteMeta(word).replace('\\^', '\\^\\{?'))
    if (term.kind === 'signs') return signs
    if (term.kind === 'course') return [`${whole(term.words.map(broken).join('[\\s\\p{Pd}]{0,3}'))}[\\p{L}\\p{N}]*`]
    if (term.kind === 'phrase') return [phrasePattern(term.words)]
    const word = term.words[0] ?? ''
    const ends = term.isOpen || /^\p{Script=Greek}$/u.test(word) ? '[\\p{L}\\p{N}]*' : ''
    return isUnspaced(word) ? [quoteMeta(word)] : wordForms(word).map((form) => `${whole(broken(form))}${ends}${after}`)
  })
  return new RegExp(patterns.join('|'), 'giu')
}

const after = '(?![\\p{L}\\p{N}])'
const whole = (pattern: string) => `(?<![\\p{L}\\p{N}])${pattern}`

/** Pairs of a run share a character. */
function phrasePattern(words: string[]): string {
  const isRun = (word: string | undefined) => word !== undefined && isUnspaced(word)
  const pieces = words.map((word, index) => {
    const previous = words[index - 1]
    const characters = [...word]
    if (isRun(word) && isRun(previous) && [...(previous ?? '')].at(-1) === characters[0]) {
      return characters.slice(1).map(quoteMeta).join('')
    }
    return `${index === 0 ? '' : gap}${broken(word)}`
  })
  const isAllRun = words.every(isRun)
  return isAllRun ? pieces.join('') : `${whole(pieces.join(''))}${isRun(words.at(-1)) ? '' : after}`
}
