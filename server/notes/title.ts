import { unsafeCharacters } from '../../contract/fields.ts'
import { titleLength } from '../../contract/limits.ts'
import { foldLetters } from '../../contract/words.ts'
import { foldWords } from '../words/fold.ts'
import { isNaming, minPartLength, type Person, wordsNaming } from '../words/person.ts'

const unsafeAnywhere = new RegExp(unsafeCharacters.source, 'gu')
/** What shows nothing, wherever it stands. */
const invisible = /[\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u3164\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0001}]/gu
/** Scripts that join their letters, and emoji, need joiners; these have no use for them. */
const joiner = /(?<![^\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}\p{P}\s])[\u200c\u200d]/gu
/** Letters of a flag, which shows nothing but behind one. */
const flagless = /(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0020}-\u{e007f}]/gu
const untitled = 'Untitled'

/** A note's title: the file's name without `.pdf`, free of characters that hide in or reorder text, 200 at most. */
export function titleOfFile(fileName: string): string {
  const baseName = fileName.split(/[/\\]/).at(-1) ?? ''
  const clean = withoutHidden(baseName.normalize('NFC').replace(unsafeAnywhere, ''))
    .trim()
    .replace(/\.pdf$/i, '')
  return [...clean].slice(0, titleLength.max).join('').trim() || untitled
}

/** A title that was typed, without what shows nothing. */
export const visibleTitle = (title: string): string => withoutHidden(title).trim() || untitled

const withoutHidden = (text: string) => text.replace(invisible, '').replace(joiner, '').replace(flagless, '')

/**
 * A title without the words that name its author, for a note shared anonymously: people put their names into file
 * names, whole or in parts, with initials and as addresses.
 */
export function anonymousTitle(title: string, author: Person): string {
  const names = wordsNaming(author)
  const namesAuthor = (text: string) => foldWords(text).some((folded) => isNaming(folded, names))

  const unaddressed = title.replace(address, (whole, localPart) => (namesAuthor(localPart) ? '' : whole))
  // Every other one is a word.
  const parts = unaddressed.split(/([\p{L}\p{M}\p{N}\p{Cf}'’]+)/u)
  const named = findNamed(parts, names, namesAuthor)
  if (unaddressed === title && named.size === 0) return title
  const rest = parts.filter((_, at) => !named.has(at)).join('')
  // Separators that stood around a removed name would point at the gap.
  return rest.replace(/([\s_.,()-])[\s_.,()-]*/gu, '$1').replace(/^[\s_.,()-]+|[\s_.,()-]+$/gu, '') || untitled
}

const address = /([^\s@]+)@[\p{L}\p{M}\p{N}.-]+/gu

/** Which parts name the author: words, neighbours that are a name together, and initials beside these. */
function findNamed(parts: string[], names: string[], namesAuthor: (text: string) => boolean): Set<number> {
  const named = new Set<number>()
  const folded = parts.map((part) => foldLetters(part).text.replace(/[^\p{L}\p{N}]+/gu, ''))
  const longest = Math.max(...names.map((name) => name.length))
  for (let from = 1; from < parts.length; from += 2) {
    if (namesAuthor(parts[from] ?? '')) named.add(from)
    let joined = ''
    for (let to = from; to < parts.length && joined.length <= longest; to += 2) {
      joined += folded[to]
      const name = joined.replace(/\p{N}+$/u, '')
      if (name.length < minPartLength || !(names.includes(joined) || names.includes(name))) continue
      for (let at = from; at <= to; at += 2) named.add(at)
    }
  }

  const initials = new Set(names.map((name) => [...name][0]))
  const isInitial = (at: number) => {
    const letter = folded[at] ?? ''
    return /^\p{L}$/u.test(letter) && (initials.has(letter) || /^\./.test(parts[at + 1] ?? ''))
  }
  for (const at of [...named]) {
    for (const step of [-2, 2]) for (let next = at + step; isInitial(next); next += step) named.add(next)
  }
  return named
}
