import { expect, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { openTestApp } from '../../test/app.ts'
import { makeHints } from './hints.ts'
import { readTerms } from './terms.ts'

const test = await openTestApp()

/** The statements that hints for a search take, when it has lasted so long. */
async function countStatements(text: string, spentMs: number): Promise<number> {
  let count = 0
  const counted = test.deps.db.withPlugin({
    transformQuery({ node }) {
      count++
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const time = { spentMs: () => spentMs, limitToRest: async () => {} }
  const filters = { text, sortBy: 'relevance' } as const
  const hints = await inTransaction(counted, (tx) => makeHints(tx, time, filters, readTerms(text)))
  expect(hints).toEqual({ didYouMean: null, leaveOut: [] })
  return count
}

it('tries a search with phrases three times', async () => {
  expect(await countStatements('"xq xr" "xs xt" "xu xv" "xw xy" "xz yq" "yr ys"', 0)).toBe(3)
  expect(await countStatements('xqa xqb xqc', 0)).toBe(3)
})

it('tries nothing for a search that has already lasted long', async () => {
  expect(await countStatements('"xq xr" "xs xt" xu xv', 1_001)).toBe(0)
})
