import pLimit from 'p-limit'
import { fail } from '../failure.ts'
import { whenAborted } from '../when-aborted.ts'

export type Turns = {
  /**
   * Runs the work when its turn comes; it is not begun when the signal aborts first.
   * @param prepare is run before, when the owner's own turn has come, while others may run. It is left when the signal
   *   aborts.
   * @throws busy when too many wait, of this owner or of all.
   */
  take<T>(owner: string, signal: AbortSignal, work: () => Promise<T>, prepare?: () => Promise<void>): Promise<T>
  /** Runs work that nobody waits for: one at a time, and only in a place that no owner wants. It waits as long as it takes. */
  takeSpare<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/**
 * At most `maxRunning` pieces of work at once, and one of each owner: only that one stands in the line of all, so that
 * the owners take turns, and whoever brings much waits for themself.
 */
export function createTurns(maxRunning: number, maxWaiting: number, maxWaitingOfOwner: number): Turns {
  const line = createLine(maxRunning, maxWaiting)
  const linesOfOwners = new Map<string, Line>()
  const spareLine = pLimit(1)

  return {
    async take(owner, signal, work, prepare) {
      const ownLine = linesOfOwners.get(owner) ?? createLine(1, maxWaitingOfOwner)
      linesOfOwners.set(owner, ownLine)
      try {
        return await ownLine.take(signal, async () => {
          if (prepare) await Promise.race([prepare(), whenAborted(signal)])
          return line.take(signal, work)
        })
      } finally {
        if (ownLine.isEmpty) linesOfOwners.delete(owner)
      }
    },
    takeSpare: (signal, work) =>
      untilAborted(signal, (begin) =>
        spareLine(async () => {
          while (!signal.aborted && !line.hasRoom) await Promise.race([line.nextChange(), whenAborted(signal)])
          begin()
          return line.take(signal, work)
        }),
      ),
  }
}

type Line = {
  readonly isEmpty: boolean
  /** Whether work would begin at once. */
  readonly hasRoom: boolean
  /** Resolves when somebody has left. */
  nextChange(): Promise<void>
  take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

function createLine(maxRunning: number, maxWaiting: number): Line {
  const limit = pLimit(maxRunning)
  // The limit keeps the entries of those who left until their turn, which passes at once. They count no more.
  let present = 0
  let change = Promise.withResolvers<void>()

  return {
    get isEmpty() {
      return present === 0
    },
    get hasRoom() {
      return present < maxRunning
    },
    nextChange: () => change.promise,
    async take(signal, work) {
      signal.throwIfAborted()
      if (present >= maxRunning + maxWaiting) fail('busy', { retryAfterSeconds: 5 })
      present++
      try {
        return await untilAborted(signal, (begin) =>
          limit(() => {
            signal.throwIfAborted()
            begin()
            return work()
          }),
        )
      } finally {
        present--
        change.resolve()
        change = Promise.withResolvers()
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
