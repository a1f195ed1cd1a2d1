import pLimit from 'p-limit'
import { fail } from './failure.ts'

/** Runs a piece of work when its turn comes. @throws busy when too many wait. */
export type Line = <T>(work: () => Promise<T>) => Promise<T>

/** At most `running` pieces of work at once, and `waiting` more behind them. */
export function createLine(running: number, waiting: number): Line {
  const line = pLimit(running)
  return async (work) => {
    if (line.activeCount + line.pendingCount >= running + waiting) fail('busy', { retryAfterSeconds: 5 })
    return line(work)
  }
}
