import { beforeAll, expect, it } from 'vitest'
import { fillJudged } from '../../../bench/fill.ts'
import { judgeAll, judgedQueries, mean, ndcg } from '../../../bench/judged/judged.ts'
import type { SearchPage } from '../../../packages/contract/search.ts'
import { createUser, openTestApp } from '../../testing/app.ts'
import { search } from '../../testing/search-fixtures.ts'

const test = await openTestApp()
/** A little below the value in docs/performance.md. A change that lowers it must give the reason. */
const floor = 0.98
let keys: Map<string, string>
const reader = await createUser(test)

beforeAll(async () => {
  keys = await fillJudged(test.deps.db, reader.id)
})

it('finds what people look for, and puts it first', async () => {
  expect(judgedQueries.length).toBeGreaterThanOrEqual(80)
  const ask = async (text: string): Promise<SearchPage> => (await search(test, reader, { text })).json()
  const judgements = await judgeAll(ask, keys)
  const worst = judgements.filter(({ score }) => score < 0.5).map(({ query, found }) => `${query.text} → ${found}`)
  expect(mean(judgements), worst.join('\n')).toBeGreaterThanOrEqual(floor)
})

it('judges by the place that what is wanted has', () => {
  expect(ndcg(['a', 'b'], { a: 3, b: 2 })).toBe(1)
  expect(ndcg(['b', 'a'], { a: 3, b: 2 })).toBeLessThan(1)
  expect(ndcg(['x', 'a'], { a: 3 })).toBeCloseTo(1 / Math.log2(3))
  expect([ndcg([], {}), ndcg(['x'], {}), ndcg([], { a: 1 })]).toEqual([1, 0, 0])
})
