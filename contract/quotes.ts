/** What opens and closes a phrase of a search, whichever of them was typed. */
const quotes = '"“”„«»'

/** The pieces of a search's text: first a phrase, without its quotes and perhaps never closed, or second what is none. */
export const phraseOrPlain = new RegExp(`[${quotes}]([^${quotes}]*)[${quotes}]?|([^${quotes}]+)`, 'g')

/** A text that is looked for as it stands; a single word is, without quotes. */
export function asPhrase(text: string): string {
  const words = text.replaceAll(new RegExp(`[${quotes}]`, 'g'), ' ').trim()
  return /\s/.test(words) ? `"${words}"` : words
}

/**
 * A search's text with something else for a part of it.
 * @param part as the server names it: words as they were typed, or a phrase in plain quotes.
 */
export function replacePart(text: string, part: string, other: string): string {
  const phrase = /^"(.*)"$/.exec(part)?.[1]
  const words = new RegExp(`(?<![\\p{L}\\p{N}])${escaped(part)}(?![\\p{L}\\p{N}])`, 'u')
  return text.replaceAll(phraseOrPlain, (segment: string, quoted: string | undefined) => {
    if (quoted === undefined) return segment.replace(words, () => other)
    return quoted.trim() === phrase ? other : segment
  })
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
