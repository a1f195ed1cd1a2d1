import { expect, it } from 'vitest'
import { quoteLength } from '../../../../packages/contract/limits.ts'
import { tidyQuote } from './passage.ts'

it.each([
  ['a line\nand the next', 'a line and the next'],
  ['conver-\ngence', 'convergence'],
  ['a DNA-\nstrand', 'a DNAstrand'],
  ['pages 3-\n4', 'pages 3-4'],
  ['数学\n分析', '数学分析'],
  ['  wide \t blank  ', 'wide blank'],
  ['<b>“said”</b>', '<b>“said”</b>'],
  [' \n ', ''],
])('%j is carried as %j', (text, quote) => expect(tidyQuote(text)).toBe(quote))

it('cuts a long passage after a whole word', () => {
  expect(tidyQuote('word '.repeat(100))).toBe('word '.repeat(quoteLength.max / 5).trim())
  expect(tidyQuote(`${'a'.repeat(quoteLength.max)} b`)).toBe('a'.repeat(quoteLength.max))
  expect(tidyQuote('語'.repeat(300))).toBe('語'.repeat(quoteLength.max))
})
