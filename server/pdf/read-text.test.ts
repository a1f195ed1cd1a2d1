import { expect, it } from 'vitest'
import { tidyText } from './read-text.ts'

it.each([
  ['what no database keeps', 'a\0b\u0001c\ufffed', 'abcd'],
  ['halves of characters that were cut', 'a\ud83d'.toWellFormed(), 'a\ufffd'],
  ['what turns the direction around', '\u202eabc\u202c \u2066d\u2069', 'abc d'],
  ['the ends of lines of every kind', ' a\r\nb\rc\u2028d\te  f ', 'a\nb\nc d e f'],
  ['words that were divided', 'eigen\u0002\r\nvalues and vec\ufffe\r\ntors', 'eigenvalues and vectors'],
  ['other alphabets as they are', 'λ ≤ ∑ 線形代数 جبر ﬁ', 'λ ≤ ∑ 線形代数 جبر ﬁ'],
])('tidies %s', (_what, text, tidy) => {
  expect(tidyText(text)).toBe(tidy)
})
