/** Operators that narrow a search. `by` is the author. */
const operators = ['course', 'year', 'by'] as const
export type SearchOperator = (typeof operators)[number]

const quotes = '"“”„«»'

/** A part of a typed search, with its position. */
export type SearchPart = {
  /** `exclude` finds notes without it. */
  kind: 'words' | 'phrase' | 'exclude' | SearchOperator
  /** The text without its operator and quotes. */
  text: string
  /** Whether it was quoted, so that the words must be in this order. */
  isQuoted: boolean
  start: number
  end: number
}

const part = new RegExp(
  `(?<=^|\\s)(?<operator>-(?=[${quotes}\\p{L}\\p{N}.])|(?:${operators.join('|')}):(?=\\S))?(?:[${quotes}](?<quoted>[^${quotes}]*)[${quotes}]?|(?<plain>[^\\s${quotes}]+))|(?<=\\S)[${quotes}](?<late>[^${quotes}]*)[${quotes}]?`,
  'giu',
)

/** Splits a search into words, “phrases”, -excluded words and operators. */
export function readSearchText(text: string): SearchPart[] {
  return [...text.matchAll(part)].flatMap((match): SearchPart[] => {
    const { operator = '', quoted, plain, late } = match.groups ?? {}
    const name = operator.toLowerCase().replace(':', '')
    const isQuoted = plain === undefined
    const kind = name === '-' ? 'exclude' : name === '' ? (isQuoted ? 'phrase' : 'words') : (name as SearchOperator)
    const inside = (quoted ?? late ?? plain ?? '').trim()
    return inside === ''
      ? []
      : [{ kind, text: inside, isQuoted, start: match.index, end: match.index + match[0].length }]
  })
}

/** Quotes a text so that it is searched exactly; a single word needs no quotes. */
export function asPhrase(text: string): string {
  const words = text.replaceAll(new RegExp(`[${quotes}]`, 'g'), ' ').trim()
  return /\s/.test(words) ? `"${words}"` : words
}

/** Returns the text without one of its parts. */
export const removeTerm = (text: string, { start, end }: Pick<SearchPart, 'start' | 'end'>): string =>
  `${text.slice(0, start)} ${text.slice(end)}`.replace(/\s+/g, ' ').trim()
