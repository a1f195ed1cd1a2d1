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

it('lets what an owner has given up go when its place is needed, and nothing else', async () => {
  const inLine = createSharedLine(1, 2, 2)
  const end = Promise.withResolvers<string>()
  const givenUp = new Set<string>()
  const begun: string[] = []
  const take = (name: string) => {
    const work = () => {
      begun.push(name)
      return end.promise
    }
    return inLine('ada', work, () => givenUp.has(name)).catch((error) => error.code)
  }
  const [first, second, third] = [take('first'), take('second'), take('third')]
  expect(await take('one too many')).toBe('busy')
  givenUp.add('first').add('second')
  const fourth = take('fourth')
  expect(await second).toBe('malformed_request')
  expect(await take('one too many again')).toBe('busy')
  end.resolve('done')
  expect(await Promise.all([first, third, fourth])).toEqual(['done', 'done', 'done'])
  expect(begun).toEqual(['first', 'third', 'fourth'])
})
