import { foldCourseCode } from '../../../contract/course-code.ts'
import type { SearchQuery } from '../../../contract/search.ts'
import { wordForms } from '../../../contract/word-forms.ts'
import { soughtWords } from '../../words/fold.ts'
import { isUnspaced } from '../../words/tokens.ts'
import type { Term } from './terms.ts'

/** A word of titles, courses and instructors that is one typing error away from a typed one. */
export type Corrections = Map<string, string[]>
/** How the words of `search_entries.words` are marked; see `search_entry_of` in db/schema.sql. */
const head = '!'
/** A beginning of such a word; see `findable_words` in db/schema.sql. */
const begun = '!*'
const topic = '*'
/** Shorter beginnings are those of too many words. */
const minOpenLength = 3

type Filters = Pick<SearchQuery, 'courseCode' | 'title' | 'instructor'>

/** Folded words hold letters, digits and signs, and no quote or backslash. */
const quote = (word: string, prefix = '') => `'${prefix}${word}'`
const or = (parts: string[]) => `(${parts.join(' | ')})`
const and = (parts: string[]) => `(${parts.join(' & ')})`

/** What a note has to have, as a `tsquery` on what the indexes of `search_entries` hold. */
export const inNote = (terms: Term[], corrections: Corrections) =>
  and(terms.map((term) => or([inTextOf(term), inHeadOf(term, corrections)])))
/** The same for notes with every term in their title, course or instructor. */
export const inHead = (terms: Term[], corrections: Corrections) => and(terms.map((term) => inHeadOf(term, corrections)))
/** The same for notes with every term there, or that are about it. */
export const inTopics = (terms: Term[], corrections: Corrections) =>
  and(
    terms.map((term) =>
      or([inHeadOf(term, corrections), ...term.words.flatMap(wordForms).map((word) => quote(word, topic))]),
    ),
  )

/**
 * The same for notes that filters leave, as far as the index of words knows: what a filter is about stands in the head, and the
 * note itself has to be looked at all the same. So what many have is not read for a filter that few pass.
 */
export function inFiltered(query: string, { courseCode, title, instructor }: Filters): string {
  const course = /^[a-z0-9]+/.exec(foldCourseCode(courseCode ?? '').toLowerCase())?.[0]
  const sought = [...(course ? [course] : []), ...soughtWords(`${title ?? ''} ${instructor ?? ''}`)]
  return and([query, ...sought.map((word) => quote(word, begun))])
}

/** The same on `search_entries.words`, of a note that is looked at. */
export const inWords = (query: string) => query.replaceAll(/'!\*([^']+)'/g, `'${head}$1':*`)

function inTextOf(term: Term): string {
  if (term.kind === 'phrase')
    return and([...term.words, ...term.compounds].map((word) => or([quote(word), quote(word, head)])))
  if (term.kind === 'signs') return and(term.compounds.map((word) => quote(word)))
  const words = and(
    term.words.map((word) => or([...wordForms(word).map((form) => quote(form)), ...openEnd(term, word)])),
  )
  if (term.kind === 'word') return words
  // A subject may stand in the title and the number in the text.
  const apart = and(term.words.map((word) => or([quote(word), quote(word, begun)])))
  return or([...term.compounds.map((word) => quote(word)), apart])
}

const openEnd = (term: Term, word: string) => (isBeginning(term, word) ? [`${quote(word)}:*`] : [])

/** Whether it may be the beginning of a longer word of a text. */
export const isBeginning = ({ isOpen }: Term, word: string) =>
  isOpen && ([...word].length >= minOpenLength || isUnspaced(word))

function inHeadOf(term: Term, corrections: Corrections): string {
  if (term.kind === 'phrase') return and([...term.words, ...term.compounds].map((word) => quote(word, head)))
  if (term.kind === 'signs') return and(term.compounds.map((word) => quote(word, head)))
  const begins = (word: string) =>
    or([
      quote(word, begun),
      ...[...wordForms(word).slice(1), ...(corrections.get(word) ?? [])].map((form) => quote(form, head)),
    ])
  const words = and(term.words.map(begins))
  return term.kind === 'word' ? words : or([...term.compounds.map(begins), words])
}

/** Words that follow one another, as a `tsquery` on the words of a title, a course or an instructor. */
export const inOrder = (words: string[]) => words.map((word) => quote(word)).join(' <-> ')

/** How well a term is found, from the best; the `tsquery`s are for `search_entries.ranked`. */
export function ranks(term: Term, corrections: Corrections): { query: string; points: number }[] {
  const weighed = (words: string[], weights: string, mark = '') =>
    or(words.map((word) => `${quote(word, mark)}:${weights}`))
  const { words, compounds, kind, isOpen } = term
  if (kind === 'signs') {
    return [
      { query: weighed(compounds, 'ABC'), points: 10 },
      { query: weighed(compounds, 'D'), points: 6 },
    ]
  }
  const eachOf = (weights: string, formsOf = (word: string) => [word], mark = '') =>
    and(words.map((word) => weighed(formsOf(word), weights, mark)))
  if (kind === 'phrase') {
    return [
      { query: eachOf('ABC'), points: 10 },
      {
        query: and((words.some(mayBeTopic) ? words.filter(mayBeTopic) : words).map((word) => weighed([word], 'D'))),
        points: 6,
      },
    ]
  }
  const corrected = words.map((word) => corrections.get(word) ?? [])
  return [
    ...(kind === 'course' ? [{ query: weighed(compounds, 'ABC'), points: 12 }] : []),
    { query: eachOf('AB'), points: 10 },
    { query: eachOf('ABC', wordForms), points: 8 },
    { query: eachOf('*ABC'), points: 7 },
    { query: eachOf('D', wordForms, topic), points: 6 },
    { query: eachOf('D', wordForms), points: 5.5 },
    ...(isOpen ? [{ query: eachOf('*D'), points: 5 }] : []),
    ...(corrected.every((words) => words.length > 0)
      ? [{ query: and(corrected.map((words) => weighed(words, 'ABC'))), points: 3 }]
      : []),
  ]
}
/** As `words_of_text` in db/schema.sql has it. */
const mayBeTopic = (word: string) => word.length >= 4 || !/^[a-z0-9]+$/.test(word)
/** What was not found in title, course, instructor or topics stands somewhere in the text. */
export const pointsOfText = 4
