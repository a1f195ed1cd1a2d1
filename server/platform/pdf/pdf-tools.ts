import { rm, stat } from 'node:fs/promises'
import { createFairQueue, TooSlow } from '../db/fair-queue.ts'
import { ApiError, fail } from '../http/api-error.ts'
import type { Log } from '../observability/log.ts'
import { createTelemetry, type Telemetry } from '../observability/telemetry.ts'
import { isAwayCode, StorageUnavailableError } from '../storage/storage-unavailable.ts'
import type { Inspection } from './inspect.ts'
import {
  defaultFastLaneMs,
  defaultMaxFileBytes,
  defaultMaxProcesses,
  defaultMaxWaiting,
  defaultTimeoutsMs,
  maxFilesOfProcess,
  maxResidentBytes,
  maxWaitingPerAccount,
} from './limits.ts'
import type { AnonymisedFile, Answer, PageRecognised, PictureDrawn, Task, TextRead } from './messages.ts'
import { ProcessExitedError } from './pdf-process.ts'
import { createProcesses } from './process-pool.ts'

/** What may be done with files on the local disk for as long as a turn lasts. */
export type PdfOperations = {
  /**
   * Is this a PDF a reader can open? Never throws for bad content: a file that hangs, crashes or exhausts the process
   * that reads it is `unreadable` or, at its limit of time or memory, `too-costly`; one that asks for a password `locked`.
   * @throws unavailable when no process can be started, StorageAway when the disk is full or read-only.
   */
  inspect(path: string): Promise<Inspection | TooCostly>
  /**
   * Writes a copy that carries pages only to `target`: no author, no history. Null, and no copy, when that cannot be
   * guaranteed (locked, damaged, too long): callers must then refuse.
   * @param names what nothing beside the pages may hold: names and single words of them.
   * @param hiddenNamePages pages whose invisible text loses these names.
   * @throws as `inspect` does.
   */
  anonymise(
    path: string,
    target: string,
    names: string[],
    hiddenNamePages?: number[],
  ): Promise<AnonymisedFile | TooCostly | null>
}

type TooCostly = { kind: 'too-costly' }

/** Why nothing was had of a file: it cannot be read, or a process came to no good end with it. */
export type PdfFailure = { kind: 'locked' | 'unreadable' | 'too-large' | 'timeout' | 'memory' | 'crash' }

/** What may be done with one file for as long as a spare turn lasts. The file is tried once. */
export type BackgroundOperations = {
  /** Writes what the file says to `target`, for `readTextFile`. @throws as `inspect` does. */
  readText(path: string, target: string): Promise<TextRead | PdfFailure>
  /** Writes the first page that is not blank to `target`, four bytes a pixel. @throws as `inspect` does. */
  drawPicture(path: string, target: string): Promise<PictureDrawn | PdfFailure>
  /** Reads the words on the picture of a page, which is counted from 0. @throws as `inspect` does. */
  recognise(path: string, index: number, languages: string[]): Promise<PageRecognised | PdfFailure>
}

export type PdfTools = {
  /**
   * Waits for a turn and does the work with it. Owners take turns with one another, one file of each at a time.
   * @param signal gives the work up, at once if it waits, and by ending the process if it is under way.
   * @param prepare is run when the owner's turn has come, before the work waits for a process.
   * Work that keeps a process for `fastLaneMs` is ended and done again, from its beginning, beside faster work.
   * @throws busy when too many wait, the signal's reason, unavailable when the server ends.
   */
  takeTurn<T>(
    owner: string,
    signal: AbortSignal,
    work: (turn: PdfOperations) => Promise<T>,
    prepare?: () => Promise<void>,
  ): Promise<T>
  /**
   * As `takeTurn`, for work that nobody waits for: it takes a process only when all turns have come, and never more than
   * one.
   * @param priority among spare turns; the highest is first.
   */
  takeSpareTurn<T>(signal: AbortSignal, work: (turn: BackgroundOperations) => Promise<T>, priority?: number): Promise<T>
  /** Ends the processes, whatever they are doing; work under way and work that waits fails. */
  close(): Promise<void>
}

export type PdfToolsOptions = {
  log: Pick<Log, 'warn' | 'error'>
  observer?: Telemetry
  /** Where all files lie. The processes cannot read or write others. */
  folder: string
  maxFileBytes?: number
  /** From the moment a process takes a file. */
  timeoutsMs?: Partial<Record<Task['name'], number>>
  fastLaneMs?: number
  maxProcesses?: number
  /** Owners whose turn has not come; one more is refused as `busy`. */
  maxWaiting?: number
  /** How much the processes stand back: answering people goes first. */
  niceness?: number
  /** What one task may take of the processors. */
  maxCpuMs?: number
}

type Done = Extract<Answer, { kind: 'done' }>
type Failed = Extract<Answer, { kind: 'failed' }>

/** Reads hostile files in processes of their own, within the limits of `limits.ts`. */
export function createPdfTools({
  log,
  observer = createTelemetry(),
  folder,
  maxFileBytes = defaultMaxFileBytes,
  timeoutsMs,
  fastLaneMs = defaultFastLaneMs,
  maxProcesses = defaultMaxProcesses,
  maxWaiting = defaultMaxWaiting,
  niceness,
  maxCpuMs,
}: PdfToolsOptions): PdfTools {
  const settings = { folder, maxFileBytes, maxResidentBytes: maxResidentBytes(maxFileBytes), niceness, maxCpuMs }
  const processes = createProcesses(settings, maxFilesOfProcess)
  const queue = createFairQueue({ concurrency: maxProcesses, maxWaiting, maxWaitingPerAccount })
  const closing = new AbortController()
  const limitsMs = { ...defaultTimeoutsMs, ...timeoutsMs }
  for (const task of Object.keys(limitsMs)) {
    for (const outcome of ['ok', 'crash', 'memory', 'timeout', 'slow'])
      observer.metrics.pdfTasks.inc({ task, outcome }, 0)
  }

  /** @throws TooSlow when the time in the fast lane is used up */
  async function observed(
    task: Task,
    signal: AbortSignal,
    maxCrashes: number,
    lane?: FastLane,
  ): Promise<Done | Failed> {
    const answer = await observer.measure(
      { counter: observer.metrics.pdfTasks, name: `pdf ${task.name}`, labels: { task: task.name } },
      () => run(task, signal, maxCrashes, lane),
      outcomeOf,
    )
    if (answer.kind === 'failed' && answer.reason === 'slow') throw new TooSlow()
    return answer
  }

  /**
   * A system short of memory ends processes too, which says nothing about the file: an applicant's is tried again.
   * @returns what the file's answer is, or why it was given up.
   * @throws StorageAway where the disk is to blame
   */
  async function run(task: Task, signal: AbortSignal, maxCrashes: number, lane?: FastLane): Promise<Done | Failed> {
    const { size } = await stat(task.path)
    if (size > maxFileBytes) return { kind: 'failed', reason: 'too-large' }
    for (let crashes = 1; ; crashes++) {
      const answer = await attempt(task, signal, lane)
      if (answer.kind === 'done') return answer
      if ('target' in task) await rm(task.target, { force: true })
      if (answer.reason === 'slow') return answer
      if (isAwayCode(answer.reason))
        throw new StorageUnavailableError(`What is made of a file cannot be written: ${answer.reason}.`)
      if (answer.reason !== 'crash' || crashes === maxCrashes) {
        log.warn({ task: task.name, bytes: size, reason: answer.reason }, 'A PDF was given up')
        return answer
      }
    }
  }

  async function attempt(task: Task, signal: AbortSignal, lane?: FastLane): Promise<Done | Failed> {
    const process = await processes.take().catch((error: unknown) => {
      log.error({ err: error }, 'The processes that read PDFs do not start')
      return fail('unavailable', { retryAfterSeconds: 30 })
    })
    const isLimited = lane && lane.leftMs < limitsMs[task.name]
    const timeout = AbortSignal.timeout(isLimited ? Math.max(1, Math.ceil(lane.leftMs)) : limitsMs[task.name])
    const begunAt = performance.now()
    try {
      const answer = await process.perform(task, AbortSignal.any([signal, timeout]))
      return answer.kind === 'done'
        ? answer
        : { kind: 'failed', reason: 'reason' in answer ? answer.reason : 'unknown' }
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) return { kind: 'failed', reason: isLimited ? 'slow' : 'timeout' }
      if (!(error instanceof ProcessExitedError)) throw error
      return { kind: 'failed', reason: error.message }
    } finally {
      if (lane) lane.leftMs -= performance.now() - begunAt
      await processes.giveBack(process)
    }
  }

  return {
    takeTurn(owner, givenUp, work, prepare) {
      const signal = AbortSignal.any([givenUp, closing.signal])
      const openTurn = (lane?: FastLane): PdfOperations => ({
        async inspect(path) {
          const answer = await observed({ name: 'inspect', path }, signal, 2, lane)
          if (answer.kind === 'done') return answer.result as Inspection
          return { kind: isTooCostly(answer) ? 'too-costly' : 'unreadable' }
        },
        async anonymise(path, target, names, hiddenNamePages) {
          const answer = await observed({ name: 'anonymise', path, target, names, hiddenNamePages }, signal, 2, lane)
          if (answer.kind === 'done') return answer.result as AnonymisedFile | null
          return isTooCostly(answer) ? { kind: 'too-costly' } : null
        },
      })
      const run = (isSlow: boolean) => work(openTurn(isSlow ? undefined : { leftMs: fastLaneMs }))
      return queue.run(owner, run, { signal, prepare })
    },
    takeSpareTurn(givenUp, work, priority) {
      const signal = AbortSignal.any([givenUp, closing.signal])
      async function tryOnce<T>(task: Task): Promise<T | PdfFailure> {
        const answer = await observed(task, signal, 1)
        return answer.kind === 'done' ? (answer.result as T) : { kind: nameReason(answer.reason) }
      }
      const turn: BackgroundOperations = {
        readText: (path, target) => tryOnce<TextRead>({ name: 'readText', path, target }),
        drawPicture: (path, target) => tryOnce<PictureDrawn>({ name: 'drawPicture', path, target }),
        recognise: (path, index, languages) => tryOnce<PageRecognised>({ name: 'recognise', path, index, languages }),
      }
      return queue.runSpare(() => work(turn), signal, priority)
    },
    async close() {
      closing.abort(new ApiError('unavailable', { retryAfterSeconds: 5 }))
      await processes.close()
    },
  }
}

/** What is left of the time of one turn. */
type FastLane = { leftMs: number }

const isTooCostly = ({ reason }: Failed) => ['timeout', 'memory'].includes(nameReason(reason))

/** Of a few words: who looks from outside counts each. */
function outcomeOf(answer: Done | Failed): string {
  if (answer.kind === 'failed') return answer.reason === 'slow' ? 'slow' : nameReason(answer.reason)
  const { result } = answer
  return result === null ? 'refused' : 'kind' in result ? result.kind : 'ok'
}

/** What threads and PDFium say of memory goes by several names, and whatever else they say is a crash. */
function nameReason(reason: string): PdfFailure['kind'] {
  if (reason === 'timeout' || reason === 'too-large') return reason
  return ['memory', 'RangeError', 'ERR_WORKER_OUT_OF_MEMORY'].includes(reason) ? 'memory' : 'crash'
}
