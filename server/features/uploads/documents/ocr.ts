import { z } from 'zod'
import type { ProblemReason } from '../../../../packages/contract/notes.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { defineJob, type JobContext } from '../../../platform/jobs/job.ts'
import { indexSoon } from '../../search/index-notes.ts'
import * as queries from './ocr.queries.ts'
import { lockPending, markFailed } from './processing.queries.ts'
import { type ProcessingDeps, processDocument } from './processing.ts'

/** One document at a time in each server. A page may have to wait long for a processor that nobody else wants. */
export const ocrJob = defineJob('recognise-text', z.strictObject({ documentId: z.uuid() }), {
  concurrency: 1,
  timeoutSeconds: 30 * 60,
})

type RecognitionDeps = Omit<ProcessingDeps, 'pdf'> & Pick<Deps, 'recogniser' | 'config'>

/** `isWhole`: no page is left. */
type Run = { kind: 'ok'; isWhole: boolean }

const maxPages = 500
/** After this long another document has its turn; the pages that are left come again. */
const shareMs = 5 * 60_000
const documentsAtOnce = 100
/** Of a file of which so many pages fail the rest would as well. */
const maxFailedPages = 20
/** What fails for the whole file and not for one page. */
const problemsOfFile: ProblemReason[] = ['locked', 'missing']

/** Asks for documents with pages that say nothing, so many at once. */
export async function enqueueOcr({ db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>): Promise<void> {
  if (config.recognitionLanguages.length === 0) return queries.forgetAsked(db)
  await inTransaction(db, async (tx) => {
    for (const documentId of await queries.takeUnrecognised(tx, documentsAtOnce)) {
      await jobs.enqueue(tx, ocrJob, { documentId }, { singletonKey: documentId })
    }
  })
}

/**
 * Recognises the words on those pages of a document that say nothing by themselves. Each page is kept when it is done, so
 * that whatever ends the work costs a page. A page is tried three times; then the next one has its turn.
 */
export async function runOcr(
  deps: RecognitionDeps,
  { documentId }: { documentId: string },
  context: Pick<JobContext, 'signal' | 'attempt'>,
): Promise<void> {
  const { db, recogniser, config } = deps
  if (config.recognitionLanguages.length === 0) return
  const shareEndsAt = performance.now() + shareMs
  const whileWaiting = (work: (tx: Tx) => Promise<void>) =>
    inTransaction(db, async (tx) => {
      const isWaiting = await lockPending(tx, 'recognition', documentId)
      if (isWaiting) await work(tx)
      return isWaiting
    })

  await processDocument<Run>(
    { ...deps, pdf: recogniser },
    {
      product: 'recognition',
      documentId,
      context,
      async make(turn, path) {
        const pages = await queries.findPagesWithoutText(db, documentId, maxPages)
        for (const [index, page] of pages.entries()) {
          if (performance.now() > shareEndsAt) return { kind: 'ok', isWhole: false }
          const outcome = await turn.recognise(path, page - 1, config.recognitionLanguages)
          // A page is tried anew as the first of a run, where no other page has used its tries.
          if (outcome.kind !== 'ok') return index > 0 ? { kind: 'ok', isWhole: false } : outcome
          const isWanted = await whileWaiting((tx) => queries.saveOcrPage(tx, documentId, page, outcome))
          if (!isWanted) break
        }
        return { kind: 'ok', isWhole: true }
      },
      async keep({ isWhole }) {
        const finish = isWhole ? queries.finishOcr : queries.requeueOcr
        await whileWaiting((tx) => finish(tx, documentId))
        await indexSoon(deps, context.signal)
      },
      async giveUp(reason) {
        await whileWaiting(async (tx) => {
          const [page] = await queries.findPagesWithoutText(tx, documentId, maxPages)
          if (page === undefined || problemsOfFile.includes(reason))
            await markFailed(tx, 'recognition', documentId, reason)
          else if ((await queries.skipPage(tx, documentId, page)) >= maxFailedPages)
            await queries.finishOcr(tx, documentId)
        })
      },
    },
  )
}
