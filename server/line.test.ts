import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createSharedLine } from './line.ts'

/** Work that goes on until it is told to end, and the order in which it began. */
function openLine(running: number, waiting: number, waitingOfOwner: number) {
  const inLine = createSharedLine(running, waiting, waitingOfOwner)
  const begun: string[] = []
  const end = Promise.withResolvers<void>()
  const take = (owner: string) =>
    inLine(owner, async () => {
      begun.push(owner)
      await end.promise
      return owner
    }).catch((error) => error.code)
  return { take, begun, end: end.resolve }
}

it('lets owners take turns, however much one of them brings', async () => {
  const { take, begun, end } = openLine(1, 9, 9)
  const taken = ['ada', 'ada', 'ada', 'ben', 'cid', 'ben'].map(take)
  end()
  await Promise.all(taken)
  expect(begun).toEqual(['ada', 'ben', 'cid', 'ada', 'ben', 'ada'])
})

it('keeps one owner from taking the places of all', async () => {
  const { take, begun, end } = openLine(3, 9, 9)
  const taken = ['ada', 'ada', 'ada', 'ben'].map(take)
  await setImmediate()
  expect(begun).toEqual(['ada', 'ben'])
  end()
  await Promise.all(taken)
})

it('refuses the owner who brings too much, and nobody else', async () => {
  const { take, end } = openLine(1, 2, 2)
  const taken = ['ada', 'ada', 'ada', 'ada', 'ben'].map(take)
  end()
  expect(await Promise.all(taken)).toEqual(['ada', 'ada', 'ada', 'busy', 'ben'])
  expect(await Promise.all(['ada', 'ada', 'ada', 'ada'].map(take))).toEqual(['ada', 'ada', 'ada', 'busy'])
})

it('refuses what exceeds the line of all', async () => {
  const { take, end } = openLine(1, 2, 2)
  const taken = ['ada', 'ben', 'cid', 'dan'].map(take)
  end()
  expect(await Promise.all(taken)).toEqual(['ada', 'ben', 'cid', 'busy'])
})
