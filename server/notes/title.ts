import { unsafeCharacters } from '../../contract/fields.ts'
import { titleLength } from '../../contract/limits.ts'
import { foldWords } from '../words/fold.ts'
import { isNaming, type Person, wordsNaming } from '../words/person.ts'

const unsafeAnywhere = new RegExp(unsafeCharacters.source, 'gu')
const untitled = 'Untitled'

/** A note's title: the file's name without `.pdf`, free of characters that hide or reorder text, 200 at most. */
export function titleOfFile(fileName: string): string {
  const baseName = fileName.split(/[/\\]/).at(-1) ?? ''
  const clean = baseName
    .normalize('NFC')
    .replace(unsafeAnywhere, '')
    .trim()
    .replace(/\.pdf$/i, '')
  return [...clean].slice(0, titleLength.max).join('').trim() || untitled
}

/**
 * A title without the words that name its author, for a note shared anonymously: people put their names into file
 * names.
 */
export function anonymousTitle(title: string, author: Person): string {
  const names = wordsNaming(author)
  const namesAuthor = (word: string) => foldWords(word).some((folded) => isNaming(folded, names))

  const words = title.split(/([\p{L}\p{M}\p{N}'’]+)/u)
  if (!words.some(namesAuthor)) return title
  const rest = words.filter((word) => !namesAuthor(word)).join('')
  // Separators that stood around a removed name would point at the gap.
  return rest.replace(/([\s_.,()-])[\s_.,()-]*/gu, '$1').replace(/^[\s_.,()-]+|[\s_.,()-]+$/gu, '') || untitled
}
