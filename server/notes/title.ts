import { unsafeCharacters } from '../../contract/fields.ts'
import { titleLength } from '../../contract/limits.ts'
import { foldWords } from './fold.ts'

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
 * names. Names of four letters or more are found inside of words too.
 */
export function anonymousTitle(title: string, author: { name: string; email: string }): string {
  const localPart = author.email.split('@')[0] ?? ''
  // A student number is `s1234567` in the address and `1234567` in the file name.
  const runs = (localPart.match(/\p{L}+|\p{N}+/gu) ?? []).filter((run) => run.length >= 4)
  const names = foldWords(`${author.name} ${localPart} ${runs.join(' ')}`)
  const joined = [foldWords(author.name).join(''), foldWords(localPart).join('')]
  const namesAuthor = (word: string) =>
    foldWords(word).some(
      (folded) =>
        names.includes(folded) || [...names, ...joined].some((name) => name.length >= 4 && folded.includes(name)),
    )

  const words = title.split(/([\p{L}\p{M}\p{N}'’]+)/u)
  if (!words.some(namesAuthor)) return title
  const rest = words.filter((word) => !namesAuthor(word)).join('')
  // Separators that stood around a removed name would point at the gap.
  return rest.replace(/([\s_.,()-])[\s_.,()-]*/gu, '$1').replace(/^[\s_.,()-]+|[\s_.,()-]+$/gu, '') || untitled
}
