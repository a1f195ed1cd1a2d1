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

/** As `Line`, of several owners. @throws busy when too many wait, of this owner or of all. */
export type SharedLine = <T>(owner: string, work: () => Promise<T>) => Promise<T>

/**
 * One piece of work of each owner runs or stands in the line of all, and `waitingOfOwner` more wait behind it: so owners
 * take turns, and whoever brings much waits for themself.
 */
export function createSharedLine(running: number, waiting: number, waitingOfOwner: number): SharedLine {
  const inLine = createLine(running, waiting)
  const owners = new Map<string, { inOwnLine: Line; present: number }>()
  return async (owner, work) => {
    const own = owners.get(owner) ?? { inOwnLine: createLine(1, waitingOfOwner), present: 0 }
    owners.set(owner, own)
    own.present++
    try {
      return await own.inOwnLine(() => inLine(work))
    } finally {
      if (--own.present === 0) owners.delete(owner)
    }
  }
}
