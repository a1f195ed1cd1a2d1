import pLimit from 'p-limit'
import { Failure, fail } from './failure.ts'

/** Runs a piece of work when its turn comes. @throws busy when too many wait. */
export type Line = <T>(work: () => Promise<T>) => Promise<T>

const retryAfterSeconds = 5

/** At most `running` pieces of work at once, and `waiting` more behind them. */
export function createLine(running: number, waiting: number): Line {
  const line = pLimit(running)
  return async (work) => {
    if (line.activeCount + line.pendingCount >= running + waiting) fail('busy', { retryAfterSeconds })
    return line(work)
  }
}

/**
 * As `Line`, of several owners.
 * @param isGivenUp whether nobody waits for it any more.
 * @throws busy when too many wait, of this owner or of all; malformed_request where it was given up and its place was needed.
 */
export type SharedLine = <T>(owner: string, work: () => Promise<T>, isGivenUp?: () => boolean) => Promise<T>

type Turn = { isGivenUp: () => boolean; come: PromiseWithResolvers<void> }

/**
 * One piece of work of each owner runs or stands in the line of all, and `waitingOfOwner` more wait behind it: so owners
 * take turns, and whoever brings much waits for themself. What an owner has given up leaves when its place is needed.
 */
export function createSharedLine(running: number, waiting: number, waitingOfOwner: number): SharedLine {
  const inLine = createLine(running, waiting)
  /** The first of each has come. */
  const turns = new Map<string, Turn[]>()
  return async (owner, work, isGivenUp = () => false) => {
    const own = turns.get(owner) ?? []
    if (own.length > waitingOfOwner) removeGivenUp(own)
    if (own.length > waitingOfOwner) fail('busy', { retryAfterSeconds })
    turns.set(owner, own)
    const turn: Turn = { isGivenUp, come: Promise.withResolvers() }
    if (own.push(turn) === 1) turn.come.resolve()
    await turn.come.promise
    try {
      return await inLine(work)
    } finally {
      own.shift()
      if (own[0]) own[0].come.resolve()
      else turns.delete(owner)
    }
  }
}

function removeGivenUp(turns: Turn[]): void {
  const [, ...waiting] = turns
  for (const turn of waiting.filter(({ isGivenUp }) => isGivenUp())) {
    turns.splice(turns.indexOf(turn), 1)
    turn.come.reject(new Failure('malformed_request'))
  }
}
