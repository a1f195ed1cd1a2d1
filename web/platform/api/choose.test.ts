import { expect, it } from 'vitest'
import { choose } from './choose.ts'

/** A switch and a log of its calls; the test answers its requests. */
function createSwitch() {
  const calls: string[] = []
  const requests: PromiseWithResolvers<void>[] = []
  const press = (choice: string) =>
    choose('key', choice, {
      before: 'a',
      show: (shown) => calls.push(`show ${shown}`),
      send(sent) {
        calls.push(`send ${sent}`)
        requests.push(Promise.withResolvers())
        return requests.at(-1)?.promise ?? Promise.reject()
      },
      onKept: (kept) => calls.push(`kept ${kept}`),
      onFailed: (_failure, failed) => calls.push(`failed ${failed}`),
    })
  return { calls, requests, press }
}

it.each([
  ['taken, taken', 'send d, kept d'],
  ['refused, taken', 'send d, kept d'],
  ['taken, refused', 'send d, show b, failed d'],
  ['refused, refused', 'send d, show a, failed d'],
])('sends one choice at a time, and the last one wins: %s', async (answers, outcome) => {
  const { calls, requests, press } = createSwitch()
  const pressed = ['b', 'c', 'd'].map(press)
  for (const [at, answer] of answers.split(', ').entries()) {
    await expect.poll(() => requests).toHaveLength(at + 1)
    if (answer === 'taken') requests[at]?.resolve()
    else requests[at]?.reject(new Error('refused'))
  }
  await Promise.all(pressed)
  expect(calls.join(', ')).toBe(`show b, send b, show c, show d, ${outcome}`)
})

it('sends nothing more when the value returns to what was sent, and starts again afterwards', async () => {
  const { calls, requests, press } = createSwitch()
  for (const round of [0, 1]) {
    const pressed = ['b', 'c', 'b'].map(press)
    requests[round]?.resolve()
    await Promise.all(pressed)
  }
  expect(calls.filter((each) => !each.startsWith('show'))).toEqual(['send b', 'kept b', 'send b', 'kept b'])
})
