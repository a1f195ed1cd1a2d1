import { AsyncResource } from 'node:async_hooks'
import PQueue from 'p-queue'
import { fail } from '../http/api-error.ts'
import { rejectOnAbort } from './waiting.ts'

export type FairQueue = {
  /**
   * Runs the task of an account when a slot is free. A task that throws `TooSlowError` runs once more, as slow: slow and spare
   * tasks together leave one slot to the others, and a slow task is never refused.
   * @param signal removes the task while it waits; a running task handles it itself.
   * @param prepare runs when the account's earlier tasks have ended, before the task waits for a slot.
   * @throws busy when too many tasks wait, of this account or of all.
   */
  run<T>(account: string, task: (isSlow: boolean) => Promise<T>, options?: RunOptions): Promise<T>
  /**
   * Runs a task that no user waits for: one at a time, and only in a slot that no account needs.
   * @param priority relative to other spare tasks; the highest runs first.
   */
  runSpare<T>(task: () => Promise<T>, signal: AbortSignal, priority?: number): Promise<T>
}

/** Thrown by a task that takes so long that other accounts should not wait for it. */
export class TooSlowError extends Error {}

type RunOptions = { signal?: AbortSignal | undefined; prepare?: (() => Promise<void>) | undefined }
type Limits = { concurrency: number; maxWaiting: number; maxWaitingPerAccount: number }

const retryAfterSeconds = 5

/**
 * A bounded queue in which each account has at most one task among those of all accounts. Its further tasks wait behind that
 * one, so an account with many tasks delays only its own.
 */
export function createFairQueue({ concurrency, maxWaiting, maxWaitingPerAccount }: Limits): FairQueue {
  const shared = new PQueue({ concurrency })
  const accounts = new Map<string, PQueue>()
  const slow = new PQueue({ concurrency: Math.max(1, concurrency - 1) })
  const spare = new PQueue({ concurrency: 1 })

  return {
    async run(account, task, { signal = new AbortController().signal, prepare } = {}) {
      signal.throwIfAborted()
      const own = accounts.get(account) ?? new PQueue({ concurrency: 1 })
      if (countTasks(own) > maxWaitingPerAccount) fail('busy', { retryAfterSeconds })
      accounts.set(account, own)
      try {
        return await enqueue(own, signal, async () => {
          if (prepare) await Promise.race([prepare(), rejectOnAbort(signal)])
          if (shared.sizeBy(ofAccounts) + shared.pending >= concurrency + maxWaiting)
            fail('busy', { retryAfterSeconds })
          try {
            return await enqueue(shared, signal, () => task(false), ofAccounts)
          } catch (error) {
            if (!(error instanceof TooSlowError)) throw error
            return await enqueue(slow, signal, () => enqueue(shared, signal, () => task(true), ofAccounts), ofAccounts)
          }
        })
      } finally {
        if (countTasks(own) === 0) accounts.delete(account)
      }
    },
    runSpare: (task, signal, priority = 0) =>
      enqueue(spare, signal, () => enqueue(slow, signal, () => enqueue(shared, signal, task)), { priority }),
  }
}

/** Account tasks run before spare tasks, which have the default priority. */
const ofAccounts = { priority: 1 }

const countTasks = (queue: PQueue) => queue.size + queue.pending

/**
 * The signal counts only until the task starts: a running task keeps its slot until it has ended. p-queue starts a task in the
 * asynchronous context of the one before it, where logs and traces would name another request.
 */
async function enqueue<T>(queue: PQueue, signal: AbortSignal, task: () => Promise<T>, options = {}): Promise<T> {
  signal.throwIfAborted()
  const waiting = new AbortController()
  const stopWaiting = () => waiting.abort(signal.reason)
  signal.addEventListener('abort', stopWaiting, { once: true })
  const start = AsyncResource.bind(() => {
    signal.removeEventListener('abort', stopWaiting)
    return task()
  })
  return queue.add(start, { ...options, signal: waiting.signal })
}
