import type { ProblemReason } from '../../../../packages/contract/notes.ts'
import type { Deps } from '../../../dependencies.ts'
import { ApiError } from '../../../platform/http/api-error.ts'
import type { JobContext } from '../../../platform/jobs/job.ts'
import { describeError } from '../../../platform/observability/log.ts'
import type { BackgroundOperations, PdfFailure, PdfTools } from '../../../platform/pdf/pdf-tools.ts'
import type { SpoolFolder } from '../../../platform/storage/spool.ts'
import * as queries from './processing.queries.ts'

export type ProcessingDeps = Pick<Deps, 'db' | 'files' | 'spool' | 'space' | 'log'> & {
  pdf: Pick<PdfTools, 'takeSpareTurn'>
}

/** What another try would say again. */
const finalProblems: ProblemReason[] = ['locked', 'unreadable', 'too-large']
/** Searches lack a text more than a card lacks its picture. */
const priorities = { text: 1, picture: 0, recognition: 0 }
const maxAttempts = 3
/** Failures that are not the file's and that pass: after so many in a row of one job they are the file's all the same. */
const maxUncountedFailures = 5

/** A file came to no good end, and is to be tried again when others have had their turn. */
export class ProcessingFailedError extends Error {
  override name = 'TryFailed'
}

/** One product of one document. */
type Task<Made> = {
  product: queries.Artifact
  documentId: string
  context: Pick<JobContext, 'signal' | 'attempt'>
  /** Is given the file on the local disk, and where to write what is made of it. */
  make(turn: BackgroundOperations, path: string, target: string): Promise<Made | PdfFailure>
  /** Keeps what was made. Others may have a turn meanwhile. */
  keep(made: Made, target: string, folder: SpoolFolder): Promise<void>
  /** After the last try, in place of parking the document. */
  giveUp?(reason: ProblemReason): Promise<void>
}

/**
 * Makes one product of a document. A file is tried three times and then given up, with the reason. A try is counted before
 * a process is given the file, so that one that takes the whole server along counts; what a storage, a database or an
 * ending server are to blame for does not, unless it goes on and on.
 * @throws TryFailed when the file is to blame, anything when it has to be tried again.
 */
export async function processDocument<Made extends { kind: 'ok' }>(
  deps: ProcessingDeps,
  task: Task<Made>,
): Promise<void> {
  const { db, files, spool, space, pdf } = deps
  const { product, documentId, keep } = task
  const giveUp = task.giveUp ?? ((reason: ProblemReason) => queries.markFailed(db, product, documentId, reason))
  const waiting = await queries.findPending(db, product, documentId)
  // Made by now, or gone with its note.
  if (!waiting) return
  if (waiting.tries >= maxAttempts) {
    // Where it comes to no end, the sweep asks again.
    if (!waiting.mayBeTrying) await giveUp('crash')
    return
  }
  await space.assertFree()
  const folder = await spool.openFolder()
  try {
    const [path, target] = [folder.newPath(), folder.newPath()]
    const isThere = await files.copyTo(waiting.fileKey, path)
    const begun = await pdf.takeSpareTurn(
      task.context.signal,
      async (turn) => {
        const tries = await queries.incrementAttempts(db, product, documentId)
        if (tries === null) return null
        const make = async () => (isThere ? await task.make(turn, path, target) : { kind: 'missing' as const })
        return { tries, outcome: await withoutCountingOutages(deps, task, tries, make) }
      },
      priorities[product],
    )
    if (!begun) return
    const { tries, outcome } = begun
    if (outcome.kind !== 'ok') {
      if (!finalProblems.includes(outcome.kind) && tries < maxAttempts)
        throw new ProcessingFailedError(`Nothing was had of a document: ${outcome.kind}`)
      return await giveUp(outcome.kind)
    }
    await withoutCountingOutages(deps, task, tries, () => keep(outcome, target, folder))
  } finally {
    await folder.remove()
  }
}

type TaskOf = Pick<Task<unknown>, 'product' | 'documentId' | 'context'>

/**
 * Work that may fail for no fault of the file's: the try is not counted. What fails each time would never end, so that
 * sooner or later it is, but never because the server ends or has no process.
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
      await takenBack.catch((reason) => log.warn({ reason: describeError(reason) }, 'A try could not be taken back'))
    } else if (tries >= maxAttempts) {
      await queries.markFailed(db, product, documentId, 'not-kept')
    }
    throw error
  }
}
