/** Operators that narrow a search. `by` is the author. */
const operators = ['course', 'year', 'by'] as const
export type SearchOperator = (typeof operators)[number]

const quotes = '"“”„«»'

/** A part of a typed search, with its position. */
export type SearchPart = {
  kind: 'words' | 'phrase' | SearchOperator
  /** Whether it has a minus sign, so that notes with it are left out. */
  isExcluded: boolean
  /** The text without its operator and quotes. */
  text: string
  start: number
  end: number
}

/**
 * A minus sign before a decimal number, as in `-0.76 V`, does not exclude it. An operator without a letter or digit, as
 * in `course:-`, is an ordinary word. A course code may contain a space, as in `MAT 137`, unless a year follows it.
 */
const part = new RegExp(
  `(?<=^|\\s)(?<minus>-(?=[${quotes}\\p{L}\\p{N}.])(?!\\d*[.,]\\d))?(?:(?<operator>${operators.join('|')}):(?=\\S*[\\p{L}\\p{N}]|[${quotes}]))?(?:[${quotes}](?<quoted>[^${quotes}]*)[${quotes}]?|(?<plain>(?<=course:)\\p{L}{2,5} (?!(?:1[5-9]|20)\\d\\d\\b)\\d{2,4}(?:\\p{L}\\w?)?(?!\\S)|[^\\s${quotes}]+))|(?<=\\S)[${quotes}](?<late>[^${quotes}]*)[${quotes}]?`,
  'giu',
)

/** Splits a search into words, “phrases”, -excluded words and operators. */
export function readSearchText(text: string): SearchPart[] {
  return [...text.matchAll(part)].flatMap((match): SearchPart[] => {
    const { minus, operator, quoted, plain, late } = match.groups ?? {}
    const kind = (operator?.toLowerCase() as SearchOperator) ?? (plain === undefined ? 'phrase' : 'words')
    const inside = (quoted ?? late ?? plain ?? '').trim()
    if (inside === '') return []
    const end = match.index + match[0].length
    return [{ kind, isExcluded: minus !== undefined, text: inside, start: match.index, end }]
  })
}

/** Quotes a text so that it is searched exactly; a single word needs no quotes. */
export function asPhrase(text: string): string {
  const words = text.replaceAll(new RegExp(`[${quotes}]`, 'g'), ' ').trim()
  return /\s/.test(words) ? `"${words}"` : words
}

/** Returns the text without one of its parts, and without a hyphen or colon that joined it to another. */
export const removeTerm = (text: string, { start, end }: Pick<SearchPart, 'start' | 'end'>): string =>
  `${text.slice(0, start).replace(/(?<=\S)[\p{Pd}:]$/u, '')} ${text.slice(end).replace(/^[\p{Pd}:](?=\S)/u, '')}`
    .replace(/\s+/g, ' ')
    .trim()
