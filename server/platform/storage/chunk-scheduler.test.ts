import { expect, it } from 'vitest'
import { waitForChunkSlot } from './spool.ts'

it('gives every chunk a separate iteration of the event loop, in the order of arrival', async () => {
  let round = 0
  let isOver = false
  const count = () => {
    round++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const order: number[] = []
  const rounds: number[] = []
  const turns = Array.from({ length: 300 }, async (_, index) => {
    await waitForChunkSlot()
    order.push(index)
    rounds.push(round)
  })
  await Promise.all(turns)
  isOver = true
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(new Set(rounds).size).toBe(rounds.length)
})
