import { foldWords } from './fold.ts'

/** The data that identifies a person in any text. */
export type Identity = {
  name: string
  email: string
  /** The result of `getIdentityWords` for earlier names and addresses. */
  formerWords?: string[]
}

/** Names of at least this many letters are also found inside words and in parts. */
export const minPartLength = 4

/**
 * Returns the folded words that identify a person: of the name and the email's local part, and each of them joined.
 */
export function getIdentityWords({ name, email, formerWords = [] }: Identity): string[] {
  const localPart = localPartOf(email)
  // A student number is `s1234567` in the address and `1234567` in the file name.
  const runs = (localPart.match(/\p{L}+|\p{N}+/gu) ?? []).filter((run) => run.length >= minPartLength)
  const joined = [name, lastFirst(name), localPart].map((text) => foldWords(text).join(''))
  const words = [...foldWords(`${name} ${localPart} ${runs.join(' ')}`), ...joined, ...formerWords]
  return [...new Set(words)].filter(Boolean)
}

/** Whether a folded word equals or contains a word that identifies a person. */
export const isIdentityWord = (folded: string, words: string[]): boolean =>
  words.some((word) => folded === word || (word.length >= minPartLength && folded.includes(word)))

/**
 * Returns what to search for where a match removes the whole text, and where texts are folded by simpler rules: names
 * as they are written, in both orders, and the words. Initials are left out, because they identify no person and occur
 * in every text.
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
