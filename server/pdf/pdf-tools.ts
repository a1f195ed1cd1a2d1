import { rm, stat } from 'node:fs/promises'
import { Failure, fail } from '../failure.ts'
import type { Log } from '../log.ts'
import type { Inspection } from './inspect.ts'
import {
  defaultMaxFileBytes,
  defaultMaxProcesses,
  defaultMaxWaiting,
  defaultTimeoutsMs,
  maxFilesOfProcess,
  maxResidentBytes,
  maxWaitingOfOwner,
} from './limits.ts'
import type { Answer, RewrittenFile, Task } from './messages.ts'
import { ProcessEnded } from './pdf-process.ts'
import { createProcesses } from './processes.ts'
import { createTurns } from './turns.ts'

/** What may be done with files on the local disk for as long as a turn lasts. */
export type PdfTurn = {
  /**
   * Is this a PDF a reader can open? Never throws for bad content: a file that hangs, crashes or exhausts the process
   * that reads it is `unreadable`, one that asks for a password `locked`.
   * @throws unavailable when no process can be started.
   */
  inspect(path: string): Promise<Inspection>
  /**
   * Writes a copy that carries pages only to `target`: no author, no history. Null, and no copy, when that cannot be
   * guaranteed (locked, damaged, too long, too costly): callers must then refuse.
   * @throws as `inspect` does.
   */
  anonymise(path: string, target: string): Promise<RewrittenFile | null>
}

export type PdfTools = {
  /**
   * Waits for a turn and does the work with it. Owners take turns with one another, one file of each at a time.
   * @param signal gives the work up, at once if it waits, and by ending the process if it is under way.
   * @param prepare is run when the owner's turn has come, before the work waits for a process.
   * @throws busy when too many wait, the signal's reason, unavailable when the server ends.
   */
  takeTurn<T>(
    owner: string,
    signal: AbortSignal,
    work: (turn: PdfTurn) => Promise<T>,
    prepare?: () => Promise<void>,
  ): Promise<T>
  /** Ends the processes, whatever they are doing; work under way and work that waits fails. */
  close(): Promise<void>
}

export type PdfToolsOptions = {
  log: Pick<Log, 'warn' | 'error'>
  /** Where all files lie. The processes cannot read or write others. */
  folder: string
  maxFileBytes?: number
  /** From the moment a process takes a file. */
  timeoutsMs?: { inspect: number; anonymise: number }
  maxProcesses?: number
  /** Owners whose turn has not come; one more is refused as `busy`. */
  maxWaiting?: number
}

type Done = Extract<Answer, { kind: 'done' }>

/** Reads hostile files in processes of their own, within the limits of `limits.ts`. */
export function createPdfTools({
  log,
  folder,
  maxFileBytes = defaultMaxFileBytes,
  timeoutsMs = defaultTimeoutsMs,
  maxProcesses = defaultMaxProcesses,
  maxWaiting = defaultMaxWaiting,
}: PdfToolsOptions): PdfTools {
  const settings = { folder, maxFileBytes, maxResidentBytes: maxResidentBytes(maxFileBytes) }
  const processes = createProcesses(settings, maxFilesOfProcess)
  const turns = createTurns(maxProcesses, maxWaiting, maxWaitingOfOwner)
  const closing = new AbortController()

  /** @returns what the file's answer is, or null when it was given up. */
  async function run(task: Task, signal: AbortSignal): Promise<Done | null> {
    const { size } = await stat(task.path)
    if (size > maxFileBytes) return null
    const giveUp = (reason: string) => {
      log.warn({ task: task.name, bytes: size, reason }, 'A PDF was given up')
      return null
    }
    const first = await attempt(task, signal, giveUp)
    if (first !== 'crash') return first
    // A system short of memory ends processes too, which says nothing about the file.
    if (task.name === 'anonymise') await rm(task.target, { force: true })
    const second = await attempt(task, signal, giveUp)
    return second === 'crash' ? giveUp(second) : second
  }

  async function attempt(
    task: Task,
    signal: AbortSignal,
    giveUp: (reason: string) => null,
  ): Promise<Done | null | 'crash'> {
    const process = await processes.take().catch((error: unknown) => {
      log.error({ err: error }, 'The processes that read PDFs do not start')
      return fail('unavailable', { retryAfterSeconds: 30 })
    })
    const timeout = AbortSignal.timeout(timeoutsMs[task.name])
    try {
      const answer = await process.perform(task, AbortSignal.any([signal, timeout]))
      if (answer.kind === 'done') return answer
      return giveUp('reason' in answer ? answer.reason : 'unknown')
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) return giveUp('timeout')
      if (!(error instanceof ProcessEnded)) throw error
      return error.message === 'crash' ? 'crash' : giveUp(error.message)
    } finally {
      await processes.giveBack(process)
    }
  }

  return {
    takeTurn(owner, givenUp, work, prepare) {
      const signal = AbortSignal.any([givenUp, closing.signal])
      const turn: PdfTurn = {
        async inspect(path) {
          const answer = await run({ name: 'inspect', path }, signal)
          return (answer?.result as Inspection | undefined) ?? { kind: 'unreadable' }
        },
        async anonymise(path, target) {
          const answer = await run({ name: 'anonymise', path, target }, signal)
          return (answer?.result as RewrittenFile | null | undefined) ?? null
        },
      }
      return turns.take(owner, signal, () => work(turn), prepare)
    },
    async close() {
      closing.abort(new Failure('unavailable', { retryAfterSeconds: 5 }))
      await processes.close()
    },
  }
}
