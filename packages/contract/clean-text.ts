const any = (names: string[]) => names.map((name) => `\\p{scx=${name}}`).join('')
/** Scripts in which joiners change how letters look. */
const joined = any([
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Adlam', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'],
  ...['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Balinese', 'Javanese'],
])
/** No language puts more marks on a letter; a longer stack would cover the lines above. */
const maxStackedMarks = 8
/** Invisible characters that are kept where they change how the preceding character looks. */
const needed = [
  `(?<=[${joined}]\\p{M}{0,${maxStackedMarks}})(?:\\u200d|\\u200c(?=[${joined}]))`,
  '(?<=[\\p{ExtPict}\\p{EMod}]\\ufe0f?)\\u200d(?=\\p{ExtPict})',
  '(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]|(?<=[\\d#*])\\ufe0f(?=\\u20e3)',
  '(?<=\\p{sc=Han})[\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}]|(?<=\\p{sc=Mongolian})[\\u180b-\\u180f]',
  '(?<=\\u{1f3f4}[\\u{e0020}-\\u{e007f}]{0,6})[\\u{e0020}-\\u{e007f}]',
].join('|')
/** Controls, lone surrogates, direction marks and other invisible characters. */
const hidden = new RegExp(`(?=[\\p{Cc}\\p{Cs}\\p{DI}\\ufff9-\\ufffb])(?!${needed})(?:\\ufeff|\\S)`, 'gu')
const stackedMarks = new RegExp(`(\\p{M}{${maxStackedMarks}})\\p{M}+`, 'gu')
const isVisible = /[\p{L}\p{N}\p{P}\p{S}]/u

function clean(typed: string): string {
  // Stacks of marks are also cut before NFC, which takes quadratic time for them.
  const shown = typed.replace(hidden, '').replaceAll('\u2800', ' ').replace(stackedMarks, '$1')
  return isVisible.test(shown) ? shown.normalize('NFC').replace(stackedMarks, '$1') : ''
}

/**
 * Normalises a typed or pasted line for storage: texts that look the same become equal, and invisible characters are
 * removed.
 */
export const cleanLine = (typed: string): string => clean(typed).replace(/\s+/gu, ' ').trim()

/**
 * Like `cleanLine`, but keeps line breaks. At most one empty line separates paragraphs, because more would push later
 * text out of sight.
 */
export const cleanText = (typed: string): string =>
  clean(typed.replace(/\r\n?/g, '\n'))
    .replace(/\n(?:[^\S\n]*\n){2,}/g, '\n\n')
    .trim()

/** Counts code points, which mostly match the characters that a user sees: an emoji has two UTF-16 units. */
export const countCharacters = (text: string): number => [...text].length

/** Returns the beginning of a line, at most `maxLength` characters long. */
export const cutLine = (typed: string, maxLength: number): string =>
  cleanLine([...cleanLine(typed)].slice(0, maxLength).join(''))
