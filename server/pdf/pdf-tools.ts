import { fileURLToPath } from 'node:url'
import { move, Piscina } from 'piscina'
import { fail } from '../failure.ts'
import type { Log } from '../log.ts'
import type { Inspection } from './inspect.ts'
import {
  defaultMaxFileBytes,
  defaultMaxThreads,
  defaultMaxWaiting,
  defaultTimeoutsMs,
  threadMaxHeapMb,
} from './limits.ts'
import { createSlots } from './slots.ts'

export type PdfTools = {
  /**
   * Is this a PDF a reader can open? Never throws for bad content: a file that hangs, crashes or exhausts the thread
   * that reads it is `unreadable`, one that asks for a password `locked`. The caller's bytes stay usable.
   * @throws busy when too many files are waiting already, unavailable when no thread can be started.
   */
  inspect(bytes: Uint8Array): Promise<Inspection>
  /**
   * A copy that carries pages only: no author, no history. Null when that cannot be guaranteed (locked, damaged, too
   * long, too costly): callers must then refuse. The caller's bytes stay usable.
   * @throws as `inspect` does.
   */
  anonymise(bytes: Uint8Array): Promise<Uint8Array | null>
  /** Ends the threads, whatever they are doing; work under way fails. */
  close(): Promise<void>
}

export type PdfToolsOptions = {
  log: Pick<Log, 'warn' | 'error'>
  maxFileBytes?: number
  /** From the moment a thread takes a file. */
  timeoutsMs?: { inspect: number; anonymise: number }
  maxThreads?: number
  /** Files waiting for a thread; one more is refused as `busy`. */
  maxWaiting?: number
}

/** Generous: on a busy machine a thread takes seconds to start, and a file was the more likely cause. */
const startTimeoutMs = 30_000

/** Reads hostile files in threads of their own, within the limits of `limits.ts`. */
export function createPdfTools({
  log,
  maxFileBytes = defaultMaxFileBytes,
  timeoutsMs = defaultTimeoutsMs,
  maxThreads = defaultMaxThreads,
  maxWaiting = defaultMaxWaiting,
}: PdfToolsOptions): PdfTools {
  const pool = new Piscina<unknown, unknown>({
    filename: fileURLToPath(new URL('./worker.ts', import.meta.url)),
    minThreads: 0,
    maxThreads,
    // A thread that rests is ended: whatever it gathered goes with it.
    idleTimeout: 10_000,
    // While a thread blocks waiting for work it cannot run anything else, and nothing here gains from it.
    atomics: 'disabled',
    recordTiming: false,
    resourceLimits: { maxOldGenerationSizeMb: threadMaxHeapMb, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    // No environment, hence no secrets, in the threads.
    env: {},
    // On Linux a thread has a niceness of its own: answering people goes first.
    niceIncrement: process.platform === 'linux' ? 5 : 0,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'A thread that reads PDFs ended'))
  // Piscina does not bound its queue for tasks that can be aborted, and their time would run while they wait.
  const slots = createSlots(maxThreads, maxWaiting)
  let closed = false

  async function run<T>(task: 'inspect' | 'anonymise', bytes: Uint8Array, failed: T): Promise<T> {
    if (bytes.length > maxFileBytes) return failed
    return slots.run(async () => {
      if (closed) throw new Error('The PDF tools are closed')
      const signal = AbortSignal.timeout(timeoutsMs[task])
      try {
        return (await pool.run(move(new Uint8Array(bytes)), { name: task, signal })) as T
      } catch (error) {
        if (closed) throw error
        const reason = signal.aborted ? 'timeout' : describe(error)
        if (!(await canWork())) {
          log.error({ task, reason }, 'The threads that read PDFs do not start')
          fail('unavailable', { retryAfterSeconds: 30 })
        }
        log.warn({ task, bytes: bytes.length, reason }, 'A PDF was given up')
        return failed
      }
    })
  }

  /** Whether it was the file's fault: a thread that cannot even start says nothing of the file it was given. */
  async function canWork(): Promise<boolean> {
    try {
      await pool.run(undefined, { name: 'ping', signal: AbortSignal.timeout(startTimeoutMs) })
      return true
    } catch {
      return false
    }
  }

  return {
    inspect: (bytes) => run<Inspection>('inspect', bytes, { kind: 'unreadable' }),
    anonymise: (bytes) => run<Uint8Array | null>('anonymise', bytes, null),
    async close() {
      closed = true
      await pool.destroy()
    },
  }
}

/** The kind of failure only: a message may quote the file. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error ? String(error.code) : error.name
}
