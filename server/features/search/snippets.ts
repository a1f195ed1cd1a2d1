import { foldLetters, isUnspaced } from '../../../packages/contract/fold.ts'
import type { Snippet } from '../../../packages/contract/search.ts'
import { greekLetterOf } from '../../../packages/contract/words.ts'
import type { Passage } from './candidates.queries.ts'
import { wholeCharacter } from './text-analysis/fold.ts'

/** Characters before the first match; `length` is the total. */
const lead = 60
const length = 200
/**
 * Maximum number of matches considered. On a page with more, the densest passage is hardly denser than the densest
 * among the first matches.
 */
const maxMatches = 500

/** Cuts a snippet out of a page around the matches. Returns null when the text has no match. */
export function createSnippet({ page, text }: Passage, find: RegExp): Snippet | null {
  const { text: folded, placeOf } = foldLetters(text)
  const matches = folded
    .matchAll(find)
    .take(maxMatches)
    .map((match) => ({ start: placeOf(match.index), end: placeOf(match.index + match[0].length) }))
    .toArray()
  const best = densest(matches)
  if (!best) return null
  const from = beginOfWord(text, Math.max(0, best.start - lead))
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

/** Returns the match that is followed by the most others within a snippet. */
function densest(matches: Span[]): Span | undefined {
  let best = matches[0]
  let most = 0
  let behind = 0
  for (const [index, match] of matches.entries()) {
    while ((matches[behind]?.end ?? Number.POSITIVE_INFINITY) < match.start + length - lead) behind++
    if (behind - index > most) [best, most] = [match, behind - index]
  }
  return best
}

/** Replaces line ends and control characters by spaces and removes invisible characters. */
const plain = (text: string) =>
  text
    .replace(/-[ \t]*\r?\n\s*/g, '-')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: leaving them out is the point
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, '')

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
/** Words are shown whole up to this many extra characters. */
const longWord = 30
function beginOfWord(text: string, place: number): number {
  for (let at = place; at > Math.max(0, place - longWord); at--) if (!isInWord(text, at)) return at
  return wholeCharacter(text, place)
}
function endOfWord(text: string, place: number): number {
  for (let at = place; at < Math.min(text.length, place + longWord); at++) if (!isInWord(text, at)) return at
  return wholeCharacter(text, place)
}

/** Letters of a word may be separated by a hyphen, an apostrophe, a line end or the sign of an exponent or subscript. */
const between = "(?:['’ʼ‐-][ \\t]*(?:\\r?\\n\\s*)?|[\\^_]\\{?)?"

/** Builds a pattern that finds whole words, by their forms, and phrases in a folded text. */
export function createMatchRegExp(words: string[][], phrases: string[][]): RegExp {
  const forms = [...new Set(words.flat())].sort((a, b) => b.length - a.length)
  const patterns = [...phrases.map(phrasePattern), ...forms.map(wordPattern)]
  return new RegExp(patterns.join('|') || '(?!)', 'giu')
}

const [before, after] = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])']
const isWord = (form: string) => /^[\p{L}\p{N}\p{M}]+$/u.test(form)

function wordPattern(form: string): string {
  if (isUnspaced(form)) return [...form].map(RegExp.escape).join('\\s*')
  if (!isWord(form)) return [...form].map(RegExp.escape).join(between)
  const spelled = `${before}${[...form].map(RegExp.escape).join(between)}${after}`
  const greek = greekLetterOf(form)
  return greek ? `(?:${spelled}|${before}${greek})` : spelled
}

/** Neighbouring pairs of a script without spaces share a character. */
function phrasePattern(words: string[]): string {
  return words
    .map((word, index) => {
      const previous = words[index - 1] ?? ''
      if (isUnspaced(word) && isUnspaced(previous) && [...previous].at(-1) === [...word][0])
        return `\\s*${wordPattern([...word].slice(1).join(''))}`
      return `${index === 0 ? '' : '[^\\p{L}\\p{N}]{1,10}'}${wordPattern(word)}`
    })
    .join('')
}
