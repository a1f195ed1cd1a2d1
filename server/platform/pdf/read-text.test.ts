import { expect, it } from 'vitest'
import { joinWords, tidyText } from './read-text.ts'

it.each([
  ['what no database keeps', 'a\0b\u0001c\uffffd', 'abcd'],
  ['halves of characters that were cut', 'a\ud83d'.toWellFormed(), 'a\ufffd'],
  ['what turns the direction around', '\u202eabc\u202c \u2066d\u2069', 'abc d'],
  ['the ends of lines of every kind', ' a\r\nb\rc\u2028d\te  f ', 'a\nb\nc d e f'],
  ['Thai of Chromium', 'ปริมริ าณ', 'ปริมาณ'],
  ['other alphabets as they are', 'λ ≤ ∑ 線形代数 جبر ﬁ', 'λ ≤ ∑ 線形代数 جبر ﬁ'],
])('tidies %s', (_what, text, tidy) => {
  expect(tidyText(text)).toBe(tidy)
})

it('is done soon with a long run of letters beside a divided word', () => {
  const [long = '', ...others] = joinWords([`${'a'.repeat(300_000)} founda\ufffe\ntion`, 'foundation'])
  expect(long.endsWith(' foundation')).toBe(true)
  expect(others).toEqual(['foundation'])
})

it('joins words that the end of a line divides as the rest of the file has them', () => {
  const pages = [
    'founda\ufffe\r\ntion of a resource\ufffe\r\nallocation by eigen\u0002\r\nvalues',
    'A Foundation. Resource, allocation',
  ]
  expect(joinWords(pages.map(tidyText))).toEqual(['foundation of a resource-allocation by eigen-\nvalues', pages[1]])
})
