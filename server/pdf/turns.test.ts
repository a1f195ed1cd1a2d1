import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Failure } from '../failure.ts'
import { createTurns } from './turns.ts'

const maxWaiting = 3
const maxWaitingOfOwner = 2

const nameOf = (error: Error) => (error instanceof Failure ? error.code : error.message)

/** Turns of which `ada` and `ben` have taken both. */
async function takeBoth() {
  const turns = createTurns(2, maxWaiting, maxWaitingOfOwner)
  const running = ['ada', 'ben'].map((owner) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const begun = Promise.withResolvers<void>()
    const done = turns.take(owner, new AbortController().signal, () => {
      begun.resolve()
      return promise
    })
    return { begun: begun.promise, done, finish: () => resolve(owner) }
  })
  await Promise.all(running.map(({ begun }) => begun))

  function wait(owner: string) {
    const leaving = new AbortController()
    const done = turns.take(owner, leaving.signal, async () => 'done').catch(nameOf)
    return { done, leave: () => leaving.abort(new Error('gone')) }
  }
  async function finish() {
    for (const { finish } of running) finish()
    expect(await Promise.all(running.map(({ done }) => done))).toEqual(['ada', 'ben'])
  }
  return { wait, finish }
}

describe('turns', () => {
  it('are waited for by so many owners', async () => {
    const { wait, finish } = await takeBoth()
    const waiting = ['cid', 'dan', 'eve'].map(wait)
    expect(await wait('fay').done).toBe('busy')
    await finish()
    expect(await Promise.all(waiting.map(({ done }) => done))).toEqual(['done', 'done', 'done'])
  })

  it('are free for others when those who waited have left', async () => {
    const { wait, finish } = await takeBoth()
    for (let round = 0; round < 3; round++) {
      const leaving = ['cid', 'dan', 'eve'].map(wait)
      // They stand in line by then.
      await setImmediate()
      for (const { leave } of leaving) leave()
      expect(await Promise.all(leaving.map(({ done }) => done))).toEqual(['gone', 'gone', 'gone'])
    }
    const waiting = ['fay', 'gil', 'cid'].map(wait)
    expect(await wait('hal').done).toBe('busy')
    await finish()
    expect(await Promise.all(waiting.map(({ done }) => done))).toEqual(['done', 'done', 'done'])
  })

  it('of one owner are free when the files before were given up', async () => {
    const { wait, finish } = await takeBoth()
    for (let round = 0; round < 3; round++) {
      const leaving = Array.from({ length: 1 + maxWaitingOfOwner }, () => wait('cid'))
      expect(await wait('cid').done).toBe('busy')
      for (const { leave } of leaving) leave()
      expect(await Promise.all(leaving.map(({ done }) => done))).toEqual(['gone', 'gone', 'gone'])
    }
    const waiting = wait('cid')
    await finish()
    expect(await waiting.done).toBe('done')
  })

  it('that are spare come when no owner waits, one after the other', async () => {
    const turns = createTurns(2, maxWaiting, maxWaitingOfOwner)
    const signal = new AbortController().signal
    const order: string[] = []
    const places = ['ada', 'ben', 'cid'].map((owner) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const done = turns.take(owner, signal, async () => {
        order.push(owner)
        await promise
      })
      return { done, finish: resolve }
    })
    let running = 0
    const spare = ['first', 'second'].map((name) =>
      turns.takeSpare(signal, async () => {
        order.push(name)
        expect(++running).toBe(1)
        await setImmediate()
        running--
      }),
    )
    const leaving = new AbortController()
    const left = turns.takeSpare(leaving.signal, async () => order.push('left')).catch(nameOf)
    leaving.abort(new Error('gone'))
    expect(await left).toBe('gone')
    places[0]?.finish()
    await places[0]?.done
    await setImmediate()
    expect(order).toEqual(['ada', 'ben', 'cid'])
    places[1]?.finish()
    await Promise.all(spare)
    expect(order).toEqual(['ada', 'ben', 'cid', 'first', 'second'])
    places[2]?.finish()
    await Promise.all(places.map(({ done }) => done))
  })

  it('do not come for those who left before they asked', async () => {
    let isBegun = false
    const left = createTurns(2, 1, 1).take('ada', AbortSignal.abort(new Error('gone')), async () => {
      isBegun = true
    })
    await expect(left).rejects.toThrow('gone')
    expect(isBegun).toBe(false)
  })
})
