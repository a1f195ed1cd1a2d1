import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createFairQueue, TooSlowError } from './fair-queue.ts'

/** Opens a queue with tasks that run until `end`, and records the order in which they started. */
function openQueue(concurrency: number, maxWaiting: number, maxWaitingPerAccount: number) {
  const queue = createFairQueue({ concurrency, maxWaiting, maxWaitingPerAccount })
  const started: string[] = []
  const ended = Promise.withResolvers<void>()
  const run = (account: string, signal?: AbortSignal) =>
    queue
      .run(
        account,
        async () => {
          started.push(account)
          await ended.promise
          return account
        },
        { signal },
      )
      .catch((error) => error.code ?? error.message)
  return { queue, run, started, end: ended.resolve }
}

it('alternates between accounts, however many tasks one of them has', async () => {
  const { run, started, end } = openQueue(1, 9, 9)
  const tasks = ['ada', 'ada', 'ada', 'ben', 'cid', 'ben'].map((account) => run(account))
  end()
  await Promise.all(tasks)
  expect(started).toEqual(['ada', 'ben', 'cid', 'ada', 'ben', 'ada'])
})

it('refuses too many tasks of one account and too many of all', async () => {
  const own = openQueue(1, 2, 2)
  const tasks = ['ada', 'ada', 'ada', 'ada', 'ben'].map((account) => own.run(account))
  own.end()
  expect(await Promise.all(tasks)).toEqual(['ada', 'ada', 'ada', 'busy', 'ben'])
  expect(await own.run('ada')).toBe('ada')
  const all = openQueue(1, 2, 2)
  const tasksOfAll = ['ada', 'ben', 'cid', 'dan'].map((account) => all.run(account))
  all.end()
  expect(await Promise.all(tasksOfAll)).toEqual(['ada', 'ben', 'cid', 'busy'])
})

it('frees the places of tasks that are aborted while they wait', async () => {
  const { run, started, end } = openQueue(2, 3, 2)
  const running = ['ada', 'ben'].map((account) => run(account))
  for (let round = 0; round < 3; round++) {
    const leaving = new AbortController()
    const tasks = ['cid', 'dan', 'eve', 'cid', 'cid'].map((account) => run(account, leaving.signal))
    await setImmediate()
    expect(await Promise.all([run('cid'), run('fay')])).toEqual(['busy', 'busy'])
    leaving.abort(new Error('gone'))
    expect(await Promise.all(tasks)).toEqual(Array(5).fill('gone'))
  }
  const waiting = run('cid')
  end()
  expect(await Promise.all([...running, waiting])).toEqual(['ada', 'ben', 'cid'])
  expect(started).toEqual(['ada', 'ben', 'cid'])
  expect(await run('dan', AbortSignal.abort(new Error('gone')))).toBe('gone')
  expect(started).toHaveLength(3)
})

it('keeps the slot of a running task that is aborted until it ends', async () => {
  const { run, started, end } = openQueue(1, 9, 9)
  const aborting = new AbortController()
  const first = run('ada', aborting.signal)
  const second = run('ben')
  await setImmediate()
  aborting.abort(new Error('gone'))
  await setImmediate()
  expect(started).toEqual(['ada'])
  end()
  expect(await Promise.all([first, second])).toEqual(['ada', 'ben'])
})

it('prepares a task when the earlier ones of its account have ended, without a slot', async () => {
  const { queue, run, end } = openQueue(1, 9, 9)
  const prepared: string[] = []
  const running = run('ada')
  const prepare = (name: string) => async () => void prepared.push(name)
  const waiting = ['first', 'second'].map((name) => queue.run('ben', async () => name, { prepare: prepare(name) }))
  await setImmediate()
  expect(prepared).toEqual(['first'])
  end()
  expect(await Promise.all([running, ...waiting])).toEqual(['ada', 'first', 'second'])
})

it('runs spare tasks one at a time, in slots that no account needs', async () => {
  const queue = createFairQueue({ concurrency: 2, maxWaiting: 3, maxWaitingPerAccount: 2 })
  const { signal } = new AbortController()
  const started: string[] = []
  const tasks = ['ada', 'ben', 'cid'].map((account) => {
    const end = Promise.withResolvers<void>()
    const done = queue.run(account, async () => {
      started.push(account)
      await end.promise
    })
    return { done, end: end.resolve }
  })
  let running = 0
  const spare = ['first', 'second'].map((name) =>
    queue.runSpare(async () => {
      started.push(name)
      expect(++running).toBe(1)
      await setImmediate()
      running--
    }, signal),
  )
  const leaving = new AbortController()
  const left = queue.runSpare(async () => started.push('left'), leaving.signal).catch((error) => error.message)
  leaving.abort(new Error('gone'))
  expect(await left).toBe('gone')
  tasks[0]?.end()
  await tasks[0]?.done
  await setImmediate()
  expect(started).toEqual(['ada', 'ben', 'cid'])
  tasks[1]?.end()
  await Promise.all(spare)
  expect(started).toEqual(['ada', 'ben', 'cid', 'first', 'second'])
  tasks[2]?.end()
  await Promise.all(tasks.map(({ done }) => done))
})

it('runs slow tasks one after another, and leaves a slot to the others', async () => {
  const queue = createFairQueue({ concurrency: 2, maxWaiting: 9, maxWaitingPerAccount: 9 })
  const started: string[] = []
  const ended = Promise.withResolvers<void>()
  const note = async (name: string) => void started.push(name)
  const slow = ['ada', 'ben', 'cid'].map((account) =>
    queue.run(account, async (isSlow) => {
      if (!isSlow) throw new TooSlowError()
      await note(account)
      await ended.promise
    }),
  )
  await expect.poll(() => started).toEqual(['ada'])
  const spare = queue.runSpare(() => note('spare'), new AbortController().signal)
  await queue.run('dan', () => note('dan'))
  await queue.run('eve', () => note('eve'))
  expect(started).toEqual(['ada', 'dan', 'eve'])
  ended.resolve()
  await Promise.all([...slow, spare])
  expect(started).toEqual(['ada', 'dan', 'eve', 'ben', 'cid', 'spare'])
})

it('runs spare tasks of a higher priority first', async () => {
  const queue = createFairQueue({ concurrency: 2, maxWaiting: 3, maxWaitingPerAccount: 2 })
  const started: string[] = []
  const { signal } = new AbortController()
  const run = (name: string, priority?: number) => queue.runSpare(async () => void started.push(name), signal, priority)
  await Promise.all([run('running'), run('picture'), run('text', 1), run('other picture'), run('other text', 1)])
  expect(started).toEqual(['running', 'text', 'other text', 'picture', 'other picture'])
})

it('runs each task in the asynchronous context that enqueued it', async () => {
  const queue = createFairQueue({ concurrency: 1, maxWaiting: 9, maxWaitingPerAccount: 9 })
  const requests = new AsyncLocalStorage<string>()
  const { signal } = new AbortController()
  const task = async () => {
    await setImmediate()
    return requests.getStore()
  }
  const seen = ['ada', 'ada', 'ben'].map((account, n) =>
    requests.run(`request ${n}`, () => queue.run(account, task, { prepare: async () => void (await task()) })),
  )
  seen.push(requests.run('job', () => queue.runSpare(task, signal)))
  expect(await Promise.all(seen)).toEqual(['request 0', 'request 1', 'request 2', 'job'])
})
