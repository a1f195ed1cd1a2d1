import { readFileSync } from 'node:fs'
import type { SearchPage } from '../../packages/contract/search.ts'

type JudgedNote = { key: string; title: string; courseCode: string; instructor: string | undefined; pages: string[] }
/** A search and its expected notes: 3 is exactly right for the student, 2 is good, 1 is marginal. */
type JudgedQuery = {
  kind: string
  text: string
  /** Grades by the note's key in the library. Empty when no note should be found. */
  wanted: Record<string, number>
}

/** Each entry is a line of the file with the indented lines below it. */
const readEntries = (file: string) =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split(/\n(?! )/)
    .map((lines) => lines.split('\n  '))

/** Pages are below their note; \n separates the lines of a page. */
export const judgedLibrary: JudgedNote[] = readEntries('library.txt').map(([head = '', ...pages]) => {
  const [key = '', courseCode = '', instructor = '', title = ''] = head.split(' | ')
  return {
    key,
    title,
    courseCode,
    instructor: instructor || undefined,
    pages: pages.map((page) => page.replaceAll('\\n', '\n')),
  }
})

/** Queries are below their kind: the text and the expected notes. */
const readQueries = (file: string): JudgedQuery[] =>
  readEntries(file).flatMap(([kind = '', ...queries]) =>
    queries.map((query) => {
      const [text = '', notes = ''] = query.split(' | ')
      const grades = notes === 'nothing' ? [] : notes.split(', ').map((note) => note.split(' '))
      return { kind, text, wanted: Object.fromEntries(grades.map(([key = '', grade]) => [key, Number(grade)])) }
    }),
  )

export const judgedQueries = readQueries('queries.txt')
/** Kinds without a budget for their ranking yet. A kind moves to the others once the search answers it. */
export const furtherQueries = readQueries('further-queries.txt')

const digestCount = 80
const filler = 'Please read the chapter before the tutorial, hand in the assignment on time, and ask your questions.'

/**
 * Notes that only mention the topics of the others, a sentence of each. No query expects them. They are inserted last,
 * so that a sort by date alone would put them first.
 */
export const digests: JudgedNote[] = Array.from({ length: digestCount }, (_, n) => {
  const mention = (step: number) => {
    const { pages } = judgedLibrary[(n * 7 + step * 11) % judgedLibrary.length] ?? { pages: [] }
    const sentences = (pages[(n + step) % Math.max(1, pages.length)] ?? '').split('. ')
    return sentences[n % sentences.length] ?? ''
  }
  const pages = [`${filler} ${mention(0)}.`, `${mention(1)}. ${filler} ${mention(2)}.`]
  return { key: `digest${n}`, title: `Week ${n + 1}`, courseCode: `GEN ${400 + n}`, instructor: undefined, pages }
})

/** Returns the quality of a list of keys, from 0 to 1: normalised discounted cumulative gain of its first ten. */
export function ndcg(found: string[], wanted: Record<string, number>): number {
  const grades = Object.values(wanted).sort((a, b) => b - a)
  if (grades.length === 0) return found.length === 0 ? 1 : 0
  return gain(found.map((key) => wanted[key] ?? 0)) / gain(grades)
}

const gain = (grades: number[]) =>
  grades.slice(0, 10).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0)

export type Judgement = { query: JudgedQuery; found: string[]; score: number }

/** @param keyOf the library's key of a note's id. */
export async function judgeAll(
  search: (text: string) => Promise<SearchPage>,
  keyOf: Map<string, string>,
  queries = judgedQueries,
): Promise<Judgement[]> {
  const judgements: Judgement[] = []
  for (const query of queries) {
    const { hits } = await search(query.text)
    const found = hits.map(({ note }) => keyOf.get(note._id) ?? '')
    judgements.push({ query, found, score: ndcg(found, query.wanted) })
  }
  return judgements
}

export const mean = (judgements: Judgement[]): number =>
  judgements.reduce((sum, { score }) => sum + score, 0) / judgements.length
