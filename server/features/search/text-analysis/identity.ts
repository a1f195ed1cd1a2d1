import { foldWords } from './fold.ts'

/** What gives a person away wherever it stands. */
export type Identity = {
  name: string
  email: string
  /** What `wordsNaming` said of them under names and addresses that they had before. */
  formerWords?: string[]
}

/** Names of so many letters or more are found inside of words, and in parts, too. */
export const minPartLength = 4

/** The folded words that name a person: of the name, of the e-mail's local part, and each of them in one. */
export function getIdentityWords({ name, email, formerWords = [] }: Identity): string[] {
  const localPart = localPartOf(email)
  // A student number is `s1234567` in the address and `1234567` in the file name.
  const runs = (localPart.match(/\p{L}+|\p{N}+/gu) ?? []).filter((run) => run.length >= minPartLength)
  const joined = [name, lastFirst(name), localPart].map((text) => foldWords(text).join(''))
  const words = [...foldWords(`${name} ${localPart} ${runs.join(' ')}`), ...joined, ...formerWords]
  return [...new Set(words)].filter(Boolean)
}

/** Whether a folded word is or holds one of those that name a person. */
export const isIdentityWord = (folded: string, words: string[]): boolean =>
  words.some((word) => folded === word || (word.length >= minPartLength && folded.includes(word)))

/**
 * What to look for where whole texts are left out, and where texts are folded by simpler rules: names as they are
 * written, in both orders, and the words. An initial names nobody, and stands in every text.
 */
export function getNameVariants(person: Identity): string[] {
  const { name, email } = person
  const names = [name, lastFirst(name), localPartOf(email), ...name.split(/\s+/), ...getIdentityWords(person)]
  return [...new Set(names)].filter((text) => [...text].length > 1)
}

const localPartOf = (email: string) => email.split('@')[0] ?? ''

function lastFirst(name: string): string {
  const words = name.trim().split(/\s+/)
  return [...words.slice(-1), ...words.slice(0, -1)].join(' ')
}
