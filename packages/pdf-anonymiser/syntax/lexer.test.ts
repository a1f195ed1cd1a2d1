import { expect, it } from 'vitest'
import { decodePdfDoc, Keyword, Lexer } from './lexer.ts'

const read = (text: string) => new Lexer(Buffer.from(text)).readItem(0)

it('reads numbers in every notation, and nothing else as a number', () => {
  expect(['1', '-1.5', '+2.', '.25', '007'].map(read)).toEqual([1, -1.5, 2, 0.25, 7])
  for (const word of ['1e5', '1.2.3', '.', '+', '--1', '0x1']) expect(read(word)).toBeInstanceOf(Keyword)
})

it('is done soon with a word of many digits', () => {
  expect(read(`${'1'.repeat(500_000)}x`)).toBeInstanceOf(Keyword)
})

it('decodes the characters of PDFDocEncoding', () => {
  expect(decodePdfDoc(Buffer.from('M\xfcller \x95\x9d\xa0\x1f\x83', 'latin1'))).toBe('Müller Łš€˜…')
})
