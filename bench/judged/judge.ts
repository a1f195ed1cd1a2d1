import type { SearchPage } from '../../contract/search.ts'
import { type JudgedQuery, judgedQueries } from './queries.ts'

const depth = 10

/** The quality of a list of found keys, from 0 to 1: normalised discounted cumulative gain of its first ten. */
export function ndcg(found: string[], wanted: Record<string, number>): number {
  const grades = Object.values(wanted).sort((a, b) => b - a)
  if (grades.length === 0) return found.length === 0 ? 1 : 0
  return gain(found.map((key) => wanted[key] ?? 0)) / gain(grades)
}

const gain = (grades: number[]) =>
  grades.slice(0, depth).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0)

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
