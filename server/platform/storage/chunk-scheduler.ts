import { setImmediate, setTimeout } from 'node:timers/promises'
import PQueue from 'p-queue'

/** Timers count whole milliseconds, so short pauses are accumulated. */
const minRestMs = 4
/** Limits the pause after an iteration that was delayed by other work. */
const maxRestMs = 20

const oneByOne = new PQueue({ concurrency: 1 })
let owedRestMs = 0

/**
 * Yields to other work before each upload chunk: only one chunk is handled per event-loop iteration. Otherwise each
 * iteration would handle a chunk of every upload before it answers any other request. While several uploads wait, they
 * pause as long as their iterations take, so that together they use half of the event loop; a single upload may use all
 * of it.
 */
export const waitForChunkSlot = (): Promise<void> => oneByOne.add(takeRound)

async function takeRound(): Promise<void> {
  const startedAt = performance.now()
  await setImmediate()
  if (oneByOne.size === 0) return
  owedRestMs += performance.now() - startedAt
  if (owedRestMs < minRestMs) return
  const restMs = Math.min(owedRestMs, maxRestMs)
  owedRestMs = 0
  await setTimeout(restMs)
}
