import { expect, it, vi } from 'vitest'
import { shareAnswersByKey } from './share-answers.ts'

/** Questions that are answered when the test says so. */
function openQuestions(limitMs = 600_000) {
  const asked: { key: string; answer: (text: string) => void; refuse: (error: Error) => void }[] = []
  const share = shareAnswersByKey<string>(limitMs)
  const ask = (key: string) =>
    share(key, () => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      asked.push({ key, answer: resolve, refuse: reject })
      return promise
    })
  /** Once all that can go on has gone on. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { asked, ask, settle }
}

it('answers nobody with what was asked before they came', async () => {
  const { asked, ask, settle } = openQuestions()
  const first = ask('page')
  await settle()
  const later = [ask('page'), ask('page')]
  await settle()
  expect(asked).toHaveLength(1)
  asked[0]?.answer('old')
  expect(await first).toBe('old')
  await settle()
  expect(asked).toHaveLength(2)
  asked[1]?.answer('new')
  expect(await Promise.all(later)).toEqual(['new', 'new'])
  const last = ask('page')
  await settle()
  expect(asked).toHaveLength(3)
  asked[2]?.answer('newest')
  expect(await last).toBe('newest')
})

it('asks once for all who come in one turn, and for each key apart', async () => {
  const { asked, ask, settle } = openQuestions()
  const answers = [ask('a'), ask('a'), ask('b')]
  await settle()
  expect(asked.map(({ key }) => key)).toEqual(['a', 'b'])
  for (const { key, answer } of asked) answer(`of ${key}`)
  expect(await Promise.all(answers)).toEqual(['of a', 'of a', 'of b'])
})

it('fails for those who shared, and asks again for those who come after', async () => {
  const { asked, ask, settle } = openQuestions()
  const first = ask('page')
  await settle()
  const second = ask('page')
  asked[0]?.refuse(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await settle()
  asked[1]?.answer('here')
  expect(await second).toBe('here')
})

it('asks anew behind a question that nobody answers', async () => {
  const { asked, ask } = openQuestions(1)
  void ask('page')
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  const second = ask('page')
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  asked[1]?.answer('here')
  expect(await second).toBe('here')
})
