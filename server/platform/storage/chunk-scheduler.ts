import { setImmediate, setTimeout } from 'node:timers/promises'
import PQueue from 'p-queue'

/** Timers count whole milliseconds, so short rests are saved up. */
const leastRestMs = 4
/** A round that was held up for long, by whatever it was, stops nobody for long. */
const mostRestMs = 20

const oneByOne = new PQueue({ concurrency: 1 })
let owedRestMs = 0

/**
 * Lets what else there is to do go first: chunks of all uploads come one after the other, each in a round of the event
 * loop of its own. Otherwise a round would take in a chunk of every upload before anybody is answered. While several
 * uploads wait for their rounds they rest as long as their rounds take, so that all of them together have half of the
 * loop, and one alone has all it can use.
 */
export const waitForChunkSlot = (): Promise<void> => oneByOne.add(takeRound)

async function takeRound(): Promise<void> {
  const startedAt = performance.now()
  await setImmediate()
  if (oneByOne.size === 0) return
  owedRestMs += performance.now() - startedAt
  if (owedRestMs < leastRestMs) return
  const restMs = Math.min(owedRestMs, mostRestMs)
  owedRestMs = 0
  await setTimeout(restMs)
}
