import type { ProblemReason } from '../../../../packages/contract/notes.ts'
import type { Deps } from '../../../dependencies.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { describeError } from '../../../platform/observability/log.ts'
import type { BackgroundOperations, PdfFailure, PdfTools } from '../../../platform/pdf/pdf-tools.ts'
import * as queries from './processing.queries.ts'

export type ProcessingDeps = Pick<Deps, 'db' | 'files' | 'spool' | 'space' | 'log'> & {
  pdf: Pick<PdfTools, 'runInBackground'>
}

/** Problems that another attempt would report again. */
const finalProblems: ProblemReason[] = ['locked', 'unreadable', 'too-large']
/** A missing text affects search, which matters more than a missing thumbnail on a card. */
const priorities = { text: 1, thumbnail: 0, ocr: 0 }
const maxAttempts = 3
/** After this many failures of one job in a row, failures with causes outside the file are counted as the file's. */
const maxUncountedFailures = 5

/** A document failed and must be retried after other documents. */
export class ProcessingFailedError extends Error {
  override name = 'ProcessingFailedError'
}

/** The work for one artifact of one document. */
type Task<Made> = {
  product: queries.Artifact
  documentId: string
  context: Pick<JobContext, 'signal' | 'attempt'>
  /** Reads the file at `path` on the local disk and writes its result to `target`. */
  produce(turn: BackgroundOperations, path: string, target: string): Promise<Made | PdfFailure>
  /** Stores the result. The process is already free for other work. */
  save(made: Made, target: string): Promise<void>
  /** Replaces `markFailed` after the last attempt. */
  failOrRetry?(reason: ProblemReason): Promise<void>
}

/**
 * Makes one artifact of a document. After three failed attempts the document is marked as failed, with the reason. An
 * attempt is counted before a process opens the file, so a crash of the whole server counts; failures of the storage or
 * database and shutdowns do not, unless they persist.
 * @throws ProcessingFailedError when the file failed, any other error when the job must be retried.
 */
export async function processDocument<Made extends { kind: 'ok' }>(
  deps: ProcessingDeps,
  task: Task<Made>,
): Promise<void> {
  const { db, files, spool, space, pdf } = deps
  const { product, documentId, save } = task
  const giveUp = task.failOrRetry ?? ((reason: ProblemReason) => queries.markFailed(db, product, documentId, reason))
  const waiting = await queries.findPending(db, product, documentId)
  // The artifact was made or the note deleted in the meantime.
  if (!waiting) return
  if (waiting.tries >= maxAttempts) {
    // If that attempt never ends, the sweep enqueues the document again.
    if (!waiting.mayBeTrying) await giveUp('crash')
    return
  }
  await space.assertFree()
  const folder = await spool.openFolder()
  try {
    const [path, target] = [folder.newPath(), folder.newPath()]
    const exists = await files.downloadTo(waiting.fileKey, path)
    const begun = await pdf.runInBackground(
      task.context.signal,
      async (turn) => {
        const tries = await queries.incrementAttempts(db, product, documentId)
        if (tries === null) return null
        const make = async () => (exists ? await task.produce(turn, path, target) : { kind: 'missing' as const })
        return { tries, outcome: await withoutCountingOutages(deps, task, tries, make) }
      },
      priorities[product],
    )
    if (!begun) return
    const { tries, outcome } = begun
    if (outcome.kind !== 'ok') {
      if (!finalProblems.includes(outcome.kind) && tries < maxAttempts)
        throw new ProcessingFailedError(`Couldn’t process a document: ${outcome.kind}`)
      return await giveUp(outcome.kind)
    }
    await withoutCountingOutages(deps, task, tries, () => save(outcome, target))
  } finally {
    await folder.remove()
  }
}

type TaskOf = Pick<Task<unknown>, 'product' | 'documentId' | 'context'>

/**
 * Runs work that can fail for reasons outside the file; such an attempt is not counted. If it fails each time it is
 * counted after all, so no document is retried forever. A shutdown or a full process pool is never counted.
 */
async function withoutCountingOutages<T>(
  deps: ProcessingDeps,
  task: TaskOf,
  tries: number,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { db, log } = deps
    const { product, documentId, context } = task
    const isExcused = context.attempt <= maxUncountedFailures || context.signal.aborted || error instanceof ApiError
    if (isExcused) {
      const takenBack = queries.decrementAttempts(db, product, documentId)
      await takenBack.catch((reason) => log.warn({ reason: describeError(reason) }, 'Couldn’t uncount an attempt'))
    } else if (tries >= maxAttempts) {
      await queries.markFailed(db, product, documentId, 'not-kept')
    }
    throw error
  }
}
