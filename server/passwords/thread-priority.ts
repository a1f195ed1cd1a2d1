import { readlinkSync } from 'node:fs'
import { availableParallelism, cpus, getPriority, setPriority } from 'node:os'

/** A thread that stands back so far gets a tenth of a processor that somebody else wants, and all of one that nobody does. */
const niceness = 10
const leastPriority = 19

/** Their memory is 19 MiB each while they hash. */
const maxThreads = 4

type Machine = { processors: number; available: number; canStandBack: boolean }

const thisMachine = (): Machine => ({
  processors: cpus().length,
  available: availableParallelism(),
  canStandBack: canStandBack(),
})

/**
 * How many threads may hash at once. Threads that stand back may have every processor, as whoever reads is served first.
 * Where they cannot, one processor is left to everything else; also where we have fewer processors than there are: what a
 * control group allows is used up by whoever runs, and then nobody does.
 */
export function countHashingThreads({ processors, available, canStandBack } = thisMachine()): number {
  const threads = canStandBack && available >= processors ? available : available - 1
  return Math.min(maxThreads, Math.max(1, threads))
}

/** Makes the thread that calls this stand back behind all others, for good. Nothing happens where the system has no such thing. */
export function standBack(): void {
  const id = findThreadId()
  if (id !== null && canStandBack()) setPriority(id, Math.min(leastPriority, getPriority(id) + niceness))
}

/** Whether the system lets the thread that calls this stand back: tried by setting what is set already. */
export function canStandBack(): boolean {
  const id = findThreadId()
  if (id === null) return false
  try {
    setPriority(id, getPriority(id))
    return true
  } catch {
    return false
  }
}

/** Linux has a priority for each thread, by its id; null elsewhere, and where `/proc` counts from another container. */
function findThreadId(): number | null {
  if (process.platform !== 'linux') return null
  try {
    const [pid, , id] = readlinkSync('/proc/thread-self').split('/').map(Number)
    return pid === process.pid && id !== undefined ? id : null
  } catch {
    return null
  }
}
