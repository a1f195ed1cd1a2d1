import pLimit, { type LimitFunction } from 'p-limit'
import { fail } from '../failure.ts'

export type Turns = {
  /**
   * Runs the work when its turn comes; it is not begun when the signal aborts first.
   * @throws busy when too many wait, of this owner or of all.
   */
  take<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/**
 * At most `maxRunning` pieces of work at once, and one of each owner: only that one stands in the line of all, so that
 * the owners take turns, and whoever brings much waits for themself.
 */
export function createTurns(maxRunning: number, maxWaiting: number, maxWaitingOfOwner: number): Turns {
  const line = pLimit(maxRunning)
  const linesOfOwners = new Map<string, LimitFunction>()
  const tooMany = () => fail('busy', { retryAfterSeconds: 5 })

  return {
    async take(owner, signal, work) {
      const ownLine = linesOfOwners.get(owner) ?? pLimit(1)
      linesOfOwners.set(owner, ownLine)
      if (ownLine.pendingCount >= maxWaitingOfOwner) tooMany()
      try {
        return await untilAborted(signal, (begin) =>
          ownLine(() => {
            signal.throwIfAborted()
            if (line.activeCount >= maxRunning && line.pendingCount >= maxWaiting) tooMany()
            return line(() => {
              signal.throwIfAborted()
              begin()
              return work()
            })
          }),
        )
      } finally {
        if (ownLine.activeCount + ownLine.pendingCount === 0) linesOfOwners.delete(owner)
      }
    },
  }
}

/** Rejects at once when the signal aborts before the work calls `begin`; from then on the work answers for itself. */
function untilAborted<T>(signal: AbortSignal, start: (begin: () => void) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    const begin = () => signal.removeEventListener('abort', stop)
    signal.addEventListener('abort', stop, { once: true })
    start(begin).then(resolve, reject).finally(begin)
  })
}
