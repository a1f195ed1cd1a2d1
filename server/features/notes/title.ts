import { cleanLine, cutLine } from '../../../packages/contract/clean-text.ts'
import { foldLetters } from '../../../packages/contract/fold.ts'
import { titleLength } from '../../../packages/contract/limits.ts'
import { foldWords } from '../search/text-analysis/fold.ts'
import { getIdentityWords, type Identity, isIdentityWord, minPartLength } from '../search/text-analysis/identity.ts'

const untitled = 'Untitled'

/** Creates a note's title from the file name: without `.pdf`, cut to the maximum length. */
export function createTitle(fileName: string): string {
  const baseName = fileName.split(/[/\\]/).at(-1) ?? ''
  return cutLine(cleanLine(baseName).replace(/\.pdf$/i, ''), titleLength.max) || untitled
}

/**
 * Removes the author's name from the title of an anonymous note. File names often contain names, in whole or in parts,
 * with initials or as email addresses.
 */
export function removeAuthorWords(title: string, author: Identity): string {
  const names = getIdentityWords(author)
  const namesAuthor = (text: string) => foldWords(text).some((folded) => isIdentityWord(folded, names))

  const unaddressed = title.replace(address, (whole, localPart) => (namesAuthor(localPart) ? '' : whole))
  // Every second part is a word.
  const parts = unaddressed.split(/([\p{L}\p{M}\p{N}\p{Cf}'’]+)/u)
  const named = findNamed(parts, names, namesAuthor)
  if (unaddressed === title && named.size === 0) return title
  const rest = parts.filter((_, at) => !named.has(at)).join('')
  // Separators around a removed name would show where it was.
  return rest.replace(/([\s_.,()-])[\s_.,()-]*/gu, '$1').replace(/^[\s_.,()-]+|[\s_.,()-]+$/gu, '') || untitled
}

const address = /([^\s@]+)@[\p{L}\p{M}\p{N}.-]+/gu

/** Finds the parts that name the author: words, adjacent parts that form a name, and initials beside these. */
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
