import { type RawBuilder, sql } from 'kysely'
import { foldCourseCode } from '../../../packages/contract/course-code.ts'
import { type FilterName, filterNames } from '../../../packages/contract/search.ts'
import type { SearchOperator, SearchPart } from '../../../packages/contract/search-text.ts'
import { foldWords, toQueryWords, toTsvector } from './text-analysis/fold.ts'

type Filter = {
  /** The first character of its keys in `note_search.filter`. */
  prefix: string
  /** Returns the keys of a value, without the prefix. */
  keys: (value: string) => string[]
  /** Only whole keys match, not their beginnings. */
  isWhole?: boolean
  /** Set this if the SQL function `note_keys` returns the keys, because `note_text` then has them as well. */
  isInText?: boolean
  /** Its operator in the search box, where the beginning of a key matches. */
  operator?: { name: SearchOperator; toKey: (typed: string) => string }
  /** The condition on notes `n`, and the index that has notes with one value by date. */
  column?: { is: (value: string) => RawBuilder<unknown>; index?: string }
}

/** Lists, counts, searches and course pages derive their conditions from these. */
export const filters: Record<FilterName, Filter> = {
  title: { prefix: 't', keys: toQueryWords },
  courseCode: {
    prefix: 'c',
    keys: (code) => [foldCourseCode(code)],
    isInText: true,
    operator: { name: 'course', toKey: foldCourseCode },
  },
  academicYear: {
    prefix: 'y',
    keys: (year) => [year],
    isWhole: true,
    isInText: true,
    operator: {
      name: 'year',
      toKey: (typed) => {
        const [, century = '20', from, to] = /^(\d\d)?(\d\d)\s*[-–/]\s*(?:\d\d)?(\d\d)$/.exec(typed) ?? []
        return from ? `${century}${from}–${to}` : typed
      },
    },
    column: { is: (year) => sql`n.academic_year = ${year}`, index: 'notes_year' },
  },
  instructor: {
    prefix: 'i',
    keys: toQueryWords,
    column: { is: (name) => sql`n.instructor_words = nullif(${toTsvector(name)}, '')::tsvector` },
  },
}

export type Filters = { [Name in FilterName]?: string | undefined }

/** Returns the filters that are set, with their values. */
export const activeFilters = (query: Filters) =>
  filterNames.flatMap((name) => (query[name] ? [{ ...filters[name], value: query[name] }] : []))

export type FilterKey = Pick<Filter, 'isWhole' | 'isInText'> & { key: string }

/**
 * Returns the keys of the filters: every word as a prefix, in any order. Null when a text has no word, so nothing
 * matches.
 */
export function filterKeys(query: Filters): FilterKey[] | null {
  const active = activeFilters(query).map((filter) => ({ ...filter, words: filter.keys(filter.value) }))
  if (active.some(({ words }) => words.join('') === '')) return null
  return active.flatMap(({ words, prefix, isWhole = false, isInText = false }) =>
    words.map((word) => ({ key: prefix + word, isWhole, isInText })),
  )
}

/** Returns the conditions of an operator for a `tsquery`, none without anything to search for; null for other parts. */
export function operatorConditions(name: SearchPart['kind'], typed: string): string[] | null {
  if (name === 'by') return foldWords(typed).map((word) => keyCondition({ key: `a${word}` }))
  const { operator, prefix } = Object.values(filters).find((filter) => filter.operator?.name === name) ?? {}
  if (!operator) return null
  const key = operator.toKey(typed)
  return key === '' ? [] : [keyCondition({ key: prefix + key })]
}

/** Quotes a lexeme for the text of a `tsquery`. */
export const quoted = (lexeme: string) => `'${lexeme.replace(/['\\]/g, '$&$&')}'`

export const keyCondition = ({ key, isWhole }: FilterKey) => (isWhole ? quoted(key) : `${quoted(key)}:*`)

/** Condition on a row `s` of `note_search`, checked without an index. */
export const toFilterConditions = (keys: FilterKey[]): RawBuilder<unknown> =>
  keys.length === 0 ? sql`true` : sql`s.filter @@ ${keys.map(keyCondition).join(' & ')}::tsquery`

/** The same condition by the index, on published notes `s`. The index has beginnings, so whole keys are checked too. */
export const matchesFilterKeys = (keys: FilterKey[]): RawBuilder<unknown> =>
  keys.length === 0
    ? sql`true`
    : sql`NOT hidden AND beginnings(filter) @> ${keys.map(({ key }) => key)}::text[]
          AND ${toFilterConditions(keys.filter(({ isWhole }) => isWhole))}`
