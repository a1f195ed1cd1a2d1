import { replacePart } from '../../../contract/quotes.ts'

/** What is left of a search's text without a part of it, named as `replacePart` has it. */
export const withoutPart = (text: string, part: string): string =>
  replacePart(text, part, ' ').replaceAll(/\s+/g, ' ').trim()
