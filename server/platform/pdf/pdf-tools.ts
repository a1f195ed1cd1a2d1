import { rm, stat } from 'node:fs/promises'
import { createFairQueue, TooSlowError } from '../db/fair-queue.ts'
import { ApiError, fail } from '../http/api-error.ts'
import type { Log } from '../observability/log.ts'
import { createTelemetry, type Telemetry } from '../observability/telemetry.ts'
import { isAwayCode, StorageUnavailableError } from '../storage/storage.ts'
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
import type {
  AnonymisedFile,
  Answer,
  PageRecognised,
  Task,
  TextRead,
  ThumbnailPaths,
  ThumbnailRendered,
} from './messages.ts'
import { createProcesses, ProcessExitedError } from './pdf-process.ts'

/** Operations on files of the local disk while the caller holds a slot. */
export type PdfOperations = {
  /**
   * Checks whether a reader can open the PDF. It never throws for bad content: a file that hangs, crashes or exhausts
   * its process is `unreadable` or, at its limit of time or memory, `too-costly`; one with a password is `locked`.
   * @throws unavailable when no process can be started, StorageUnavailableError when the disk is full or read-only.
   */
  inspect(path: string): Promise<Inspection | TooCostly>
  /**
   * Writes a copy with only the pages to `target`: no author, no history. Resolves to null, without a copy, when that
   * cannot be guaranteed (locked, damaged, too long): callers must then refuse the file.
   * @param names names and single words of them that must not occur outside the pages.
   * @param hiddenNamePages pages whose invisible text loses these names.
   * @throws like `inspect`.
   */
  anonymise(
    path: string,
    target: string,
    names: string[],
    hiddenNamePages?: number[],
  ): Promise<AnonymisedFile | TooCostly | null>
}

type TooCostly = { kind: 'too-costly' }

/** Why a file has no result: it cannot be read, or its process failed. */
export type PdfFailure = { kind: 'locked' | 'unreadable' | 'too-large' | 'timeout' | 'memory' | 'crash' }

/** Operations on one file while the caller holds a spare slot. The file is tried once. */
export type BackgroundOperations = {
  /** Writes the text of the file to `target`, for `readTextFile`. @throws like `inspect`. */
  readText(path: string, target: string): Promise<TextRead | PdfFailure>
  /** Writes images of the first page that is not blank to `targets`, in WebP. @throws like `inspect`. */
  renderThumbnail(path: string, targets: ThumbnailPaths): Promise<ThumbnailRendered | PdfFailure>
  /** Recognises the words in the image of a page, counted from 0. @throws like `inspect`. */
  recognise(path: string, index: number, languages: string[]): Promise<PageRecognised | PdfFailure>
}

export type PdfTools = {
  /**
   * Waits for a slot and runs the work in it. Each owner has one file at a time in the shared queue. Work that occupies
   * a process for `fastLaneMs` is ended and repeated from its beginning, beside faster work.
   * @param signal aborts waiting work immediately, and running work by ending its process.
   * @param prepare runs after the owner's earlier work, before this work waits for a process.
   * @throws busy when too many wait, the signal's reason, unavailable when the server ends.
   */
  runForOwner<T>(
    owner: string,
    signal: AbortSignal,
    work: (turn: PdfOperations) => Promise<T>,
    prepare?: () => Promise<void>,
  ): Promise<T>
  /**
   * Like `runForOwner`, for work that no user waits for: it takes a process only when no other work needs it, and at most
   * one.
   * @param priority among spare work; the highest runs first.
   */
  runInBackground<T>(
    signal: AbortSignal,
    work: (turn: BackgroundOperations) => Promise<T>,
    priority?: number,
  ): Promise<T>
  /** Ends the processes immediately; running and waiting work fails. */
  close(): Promise<void>
}

export type PdfToolsOptions = {
  log: Pick<Log, 'warn' | 'error'>
  telemetry?: Telemetry
  /** Contains all files. The processes cannot read or write others. */
  folder: string
  maxFileBytes?: number
  /** Each timeout starts when a process takes a file. */
  timeoutsMs?: Partial<Record<Task['name'], number>>
  fastLaneMs?: number
  maxProcesses?: number
  /** Owners who may wait; one more is refused as `busy`. */
  maxWaiting?: number
  /** The niceness of the processes: requests have priority. */
  niceness?: number
  /** The processor time of one task. */
  maxCpuMs?: number
}

type Done = Extract<Answer, { kind: 'done' }>
type Failed = Extract<Answer, { kind: 'failed' }>

/** Reads hostile files in separate processes, within the limits of `limits.ts`. */
export function createPdfTools({
  log,
  telemetry = createTelemetry(),
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
      telemetry.metrics.pdfTasks.inc({ task, outcome }, 0)
  }

  /** @throws TooSlowError when the fast-lane time is used up */
  async function observed(
    task: Task,
    signal: AbortSignal,
    maxCrashes: number,
    lane?: FastLane,
  ): Promise<Done | Failed> {
    const answer = await telemetry.measure(
      { counter: telemetry.metrics.pdfTasks, name: `pdf ${task.name}`, labels: { task: task.name } },
      () => run(task, signal, maxCrashes, lane),
      outcomeOf,
    )
    if (answer.kind === 'failed' && answer.reason === 'slow') throw new TooSlowError()
    return answer
  }

  /**
   * Work that a user waits for is tried again after a crash, because a system short of memory ends processes too.
   * @returns the answer for the file, or why it was given up.
   * @throws StorageUnavailableError when the disk is at fault
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
        throw new StorageUnavailableError(`Can’t write the result for a file: ${answer.reason}.`)
      if (answer.reason !== 'crash' || crashes === maxCrashes) {
        log.warn({ task: task.name, bytes: size, reason: answer.reason }, 'Couldn’t process a PDF')
        return answer
      }
    }
  }

  async function attempt(task: Task, signal: AbortSignal, lane?: FastLane): Promise<Done | Failed> {
    const process = await processes.acquire().catch((error: unknown) => {
      log.error({ err: error }, 'Couldn’t start a PDF process')
      return fail('unavailable', { retryAfterSeconds: 30 })
    })
    const isLimited = lane && lane.leftMs < limitsMs[task.name]
    const timeout = AbortSignal.timeout(isLimited ? Math.max(1, Math.ceil(lane.leftMs)) : limitsMs[task.name])
    const startedAt = performance.now()
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
      if (lane) lane.leftMs -= performance.now() - startedAt
      await processes.release(process)
    }
  }

  return {
    runForOwner(owner, givenUp, work, prepare) {
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
    runInBackground(givenUp, work, priority) {
      const signal = AbortSignal.any([givenUp, closing.signal])
      async function tryOnce<T>(task: Task): Promise<T | PdfFailure> {
        const answer = await observed(task, signal, 1)
        return answer.kind === 'done' ? (answer.result as T) : { kind: nameReason(answer.reason) }
      }
      const turn: BackgroundOperations = {
        readText: (path, target) => tryOnce<TextRead>({ name: 'readText', path, target }),
        renderThumbnail: (path, targets) => tryOnce<ThumbnailRendered>({ name: 'renderThumbnail', path, targets }),
        recognise: (path, index, languages) => tryOnce<PageRecognised>({ name: 'ocr', path, index, languages }),
      }
      return queue.runSpare(() => work(turn), signal, priority)
    },
    async close() {
      closing.abort(new ApiError('unavailable', { retryAfterSeconds: 5 }))
      await processes.close()
    },
  }
}

/** The remaining fast-lane time of one slot. */
type FastLane = { leftMs: number }

const isTooCostly = ({ reason }: Failed) => ['timeout', 'memory'].includes(nameReason(reason))

/** Returns one of a few words, because each is a separate metric. */
function outcomeOf(answer: Done | Failed): string {
  if (answer.kind === 'failed') return answer.reason === 'slow' ? 'slow' : nameReason(answer.reason)
  const { result } = answer
  return result === null ? 'refused' : 'kind' in result ? result.kind : 'ok'
}

/** Threads and PDFium report a lack of memory under several names; everything else is a crash. */
function nameReason(reason: string): PdfFailure['kind'] {
  if (reason === 'timeout' || reason === 'too-large') return reason
  return ['memory', 'RangeError', 'ERR_WORKER_OUT_OF_MEMORY'].includes(reason) ? 'memory' : 'crash'
}
