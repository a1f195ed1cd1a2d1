const quotes = '"“”„«»'

/** A part of what was typed into the search box, in its place. */
export type SearchPart = {
  /** `exclude`: notes without it. `course`, `year` and `by` (the author) narrow the search. */
  kind: 'words' | 'phrase' | 'exclude' | 'course' | 'year' | 'by'
  /** Without its operator and quotes. */
  text: string
  /** In quotes: the words in this order. */
  isQuoted: boolean
  start: number
  end: number
}

const part = new RegExp(
  `(?<=^|\\s)(?<operator>-(?=[${quotes}\\p{L}\\p{N}.])|(?:course|year|by):(?=\\S))?(?:[${quotes}](?<quoted>[^${quotes}]*)[${quotes}]?|(?<plain>[^\\s${quotes}]+))|(?<=\\S)[${quotes}](?<late>[^${quotes}]*)[${quotes}]?`,
  'giu',
)

/** What a search asks for: words, “phrases”, -excluded ones and the operators course:, year: and by:. */
export function readSearchText(text: string): SearchPart[] {
  return [...text.matchAll(part)].flatMap((match): SearchPart[] => {
    const { operator = '', quoted, plain, late } = match.groups ?? {}
    const name = operator.toLowerCase().replace(':', '')
    const isQuoted = plain === undefined
    const kind =
      name === '-' ? 'exclude' : name === '' ? (isQuoted ? 'phrase' : 'words') : (name as 'course' | 'year' | 'by')
    const inside = (quoted ?? late ?? plain ?? '').trim()
    return inside === ''
      ? []
      : [{ kind, text: inside, isQuoted, start: match.index, end: match.index + match[0].length }]
  })
}

/** A text that is looked for as it stands; a single word is, without quotes. */
export function asPhrase(text: string): string {
  const words = text.replaceAll(new RegExp(`[${quotes}]`, 'g'), ' ').trim()
  return /\s/.test(words) ? `"${words}"` : words
}

/** The text without one of its parts. */
export const withoutPart = (text: string, { start, end }: Pick<SearchPart, 'start' | 'end'>): string =>
  `${text.slice(0, start)} ${text.slice(end)}`.replace(/\s+/g, ' ').trim()
