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

/** Each server recognises one document at a time. A page may wait long, because OCR only uses a spare processor. */
export const ocrJob = defineJob('ocr-document', z.strictObject({ documentId: z.uuid() }), {
  concurrency: 1,
  timeoutSeconds: 30 * 60,
})

type RecognitionDeps = Omit<ProcessingDeps, 'pdf'> & Pick<Deps, 'ocr' | 'config'>

/** `isWhole`: no page remains. */
type Run = { kind: 'ok'; isWhole: boolean }

const maxPages = 500
/** After this time another document is processed; the remaining pages are enqueued again. */
const shareMs = 5 * 60_000
const documentsAtOnce = 100
/** After this many failed pages of a file, the remaining pages are expected to fail as well. */
const maxFailedPages = 20
/** Problems that affect the whole file instead of one page. */
const problemsOfFile: ProblemReason[] = ['locked', 'missing']

/** Enqueues one batch of documents that have pages without text. */
export async function enqueueOcr({ db, jobs, config }: Pick<Deps, 'db' | 'jobs' | 'config'>): Promise<void> {
  if (config.recognitionLanguages.length === 0) return queries.forgetAsked(db)
  await inTransaction(db, async (tx) => {
    for (const documentId of await queries.takeUnrecognised(tx, documentsAtOnce)) {
      await jobs.enqueue(tx, ocrJob, { documentId }, { singletonKey: documentId })
    }
  })
}

/**
 * Recognises the words on the pages of a document that have no text. Each page is saved when it is done, so an
 * interruption loses one page at most. A page is skipped after three attempts.
 */
export async function runOcr(
  deps: RecognitionDeps,
  { documentId }: { documentId: string },
  context: Pick<JobContext, 'signal' | 'attempt'>,
): Promise<void> {
  const { db, ocr, config } = deps
  if (config.recognitionLanguages.length === 0) return
  const shareEndsAt = performance.now() + shareMs
  const whileWaiting = (work: (tx: Tx) => Promise<void>) =>
    inTransaction(db, async (tx) => {
      const isWaiting = await lockPending(tx, 'ocr', documentId)
      if (isWaiting) await work(tx)
      return isWaiting
    })

  await processDocument<Run>(
    { ...deps, pdf: ocr },
    {
      product: 'ocr',
      documentId,
      context,
      async produce(turn, path) {
        const pages = await queries.findPagesWithoutText(db, documentId, maxPages)
        for (const [index, page] of pages.entries()) {
          if (performance.now() > shareEndsAt) return { kind: 'ok', isWhole: false }
          const outcome = await turn.recognise(path, page - 1, config.recognitionLanguages)
          // The failed page is retried as the first page of another run, where no other page has used its attempts.
          if (outcome.kind !== 'ok') return index > 0 ? { kind: 'ok', isWhole: false } : outcome
          const isWanted = await whileWaiting((tx) => queries.saveOcrPage(tx, documentId, page, outcome))
          if (!isWanted) break
        }
        return { kind: 'ok', isWhole: true }
      },
      async save({ isWhole }) {
        const finish = isWhole ? queries.finishOcr : queries.requeueOcr
        await whileWaiting((tx) => finish(tx, documentId))
        await indexSoon(deps, context.signal)
      },
      async failOrRetry(reason) {
        await whileWaiting(async (tx) => {
          const [page] = await queries.findPagesWithoutText(tx, documentId, maxPages)
          if (page === undefined || problemsOfFile.includes(reason)) await markFailed(tx, 'ocr', documentId, reason)
          else if ((await queries.skipPage(tx, documentId, page)) >= maxFailedPages)
            await queries.finishOcr(tx, documentId)
        })
      },
    },
  )
}
