import type { Snippet } from '../../../packages/contract/search.ts'
import { foldLetters, isUnspaced } from '../../../packages/contract/words.ts'
import type { Passage } from './candidates.queries.ts'
import { wholeCharacter } from './text-analysis/chunks.ts'

/** Characters before the first match and behind it. */
const lead = 60
const length = 200
/**
 * Matches that are looked at. A page that has more of them is full of them: those of its densest passage are hardly more
 * than those of the densest among the first.
 */
const maxMatches = 500

/** Cuts a passage out of a page, around what was found. Null where nothing of it can be shown. */
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

/** The match that most others come soon after. */
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

/** What ends a line is a blank here, and what nobody can see is left out. */
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
/** Between two letters of a word may stand a hyphen, an apostrophe, the end of a line or what makes a power. */
const between = "(?:['’ʼ‐-][ \\t]*(?:\\r?\\n\\s*)?|\\^\\{?)?"

/** Finds what was looked for in a folded text: whole words, by their forms, and phrases. */
export function createMatchRegExp(words: string[][], phrases: string[][]): RegExp {
  const forms = [...new Set(words.flat())].sort((a, b) => b.length - a.length)
  const patterns = [...phrases.map(phrasePattern), ...forms.map(wordPattern)]
  return new RegExp(patterns.join('|') || '(?!)', 'giu')
}

const [before, after] = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])']
const isWord = (form: string) => /^[\p{L}\p{N}\p{M}]+$/u.test(form)

function wordPattern(form: string): string {
  if (isUnspaced(form)) return [...form].map(quoteMeta).join('\\s*')
  if (!isWord(form)) return quoteMeta(form)
  return `${before}${[...form].map(quoteMeta).join(between)}${after}`
}

/** Pairs of a run share a character. */
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
