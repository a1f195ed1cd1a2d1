import { latin1 } from './lexer.ts'

/**
 * A text string in any of the three ways to write one (ISO 32000-2, 7.9.2.2), or in UTF-16 the wrong way round. What is
 * in the fourth, PDFDocEncoding, is read as UTF-8, which is the same for letters without accents.
 */
export function decodeText(bytes: Uint8Array): string {
  const mark = latin1(bytes, 0, 2)
  return new TextDecoder(mark === '\xfe\xff' ? 'utf-16be' : mark === '\xff\xfe' ? 'utf-16le' : 'utf-8').decode(bytes)
}
