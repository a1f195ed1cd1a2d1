import { fail } from '../failure.ts'

export type Slots = {
  /** Runs the work when its turn comes. @throws busy when `maxWaiting` others are waiting. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** At most `maxRunning` at once, first come first served. */
export function createSlots(maxRunning: number, maxWaiting: number): Slots {
  const waiting: (() => void)[] = []
  let running = 0
  return {
    async run(work) {
      if (running >= maxRunning) {
        if (waiting.length >= maxWaiting) fail('busy', { retryAfterSeconds: 5 })
        // Whoever leaves hands the slot over, so `running` does not change.
        await new Promise<void>((resolve) => waiting.push(resolve))
      } else running++
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else running--
      }
    },
  }
}
