import { z } from 'zod'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import {
  defineJob,
  defineJobHandler,
  type JobContext,
  type JobDefinition,
  type JobRegistration,
} from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/queue.ts'
import * as queries from './processing.queries.ts'
import { ProcessingFailedError } from './processing.ts'

const payload = z.strictObject({ documentId: z.uuid() })
/**
 * Most of the timeout is spent waiting for a process (`server/platform/pdf` has the limits per file), and thumbnails
 * wait for all texts. Several texts are read in parallel, because each also waits for PostgreSQL's disk and the index.
 */
const settings = { timeoutSeconds: 300, retryDelaySeconds: 2 }
export const readTextJob = defineJob('read-text', payload, { ...settings, concurrency: 12 })
export const createThumbnailJob = defineJob('create-thumbnail', payload, { ...settings, timeoutSeconds: 30 * 60 })

const newNotePriority = 0
const backfillPriority = -1
const retryPriority = -2
const triedAgainAfterSeconds = 30

/** Enqueues all processing of new documents, in the transaction that stores them. */
export async function enqueueProcessing(jobs: Jobs, tx: Tx, documentIds: string[]): Promise<void> {
  const unprocessed = documentIds.map((id) => ({ id, wantsText: true, wantsThumbnail: true }))
  await enqueue(jobs, tx, unprocessed, newNotePriority)
}

const batchSize = 500

/**
 * Enqueues the jobs of documents that wait for too long again, because jobs can be lost: one batch per call, with a
 * lower priority than new notes.
 * @returns the number of documents.
 */
export function enqueueStaleDocuments(db: Db, jobs: Jobs): Promise<number> {
  return inTransaction(db, async (tx) => {
    const unprocessed = await queries.claimUnprocessed(tx, batchSize)
    await enqueue(jobs, tx, unprocessed, backfillPriority)
    return unprocessed.length
  })
}

/**
 * Wraps a job so that a failed document is enqueued again with low priority. pg-boss would retry the failed job before
 * all new ones.
 */
export function retryAtLowPriority<D, T extends { documentId: string }>(
  job: JobDefinition<T>,
  run: (deps: D, payload: T, context: JobContext) => Promise<void>,
): JobRegistration<D & { db: Db; jobs: Jobs }> {
  return defineJobHandler(job, async (deps: D & { db: Db; jobs: Jobs }, payload, context) => {
    try {
      await run(deps, payload, context)
    } catch (error) {
      if (!(error instanceof ProcessingFailedError)) throw error
      const { documentId } = payload
      const options = { singletonKey: documentId, priority: retryPriority, startAfter: triedAgainAfterSeconds }
      await deps.jobs.enqueue(deps.db, job, payload, options)
    }
  })
}

async function enqueue(jobs: Jobs, tx: Tx, documents: queries.Unprocessed[], priority: number): Promise<void> {
  for (const { id, wantsText, wantsThumbnail } of documents) {
    const options = { singletonKey: id, priority }
    if (wantsText) await jobs.enqueue(tx, readTextJob, { documentId: id }, options)
    if (wantsThumbnail) await jobs.enqueue(tx, createThumbnailJob, { documentId: id }, options)
  }
}
