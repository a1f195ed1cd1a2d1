import { expect, it } from 'vitest'
import { asPhrase, phraseOrPlain } from './quotes.ts'

it.each([
  ['Trees', 'Trees'],
  ['CSC148 week 5 Trees and heaps', '"CSC148 week 5 Trees and heaps"'],
  ['The “limit” of a series', '"The  limit  of a series"'],
  [' "Rings" ', 'Rings'],
])('%j is looked for as %s, which is one piece', (text, phrase) => {
  expect(asPhrase(text)).toBe(phrase)
  expect([...phrase.matchAll(phraseOrPlain)]).toHaveLength(1)
})
