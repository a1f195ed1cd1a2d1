import type { Db } from '../../../platform/db/pool.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/queue.ts'
import { createThumbnailJob, enqueueStaleDocuments, readTextJob, retryAtLowPriority } from './enqueue-processing.ts'
import { enqueueOcr, ocrJob, runOcr } from './ocr.ts'
import { readText } from './text.ts'
import { createThumbnail } from './thumbnail.ts'

export const documentJobs = [
  retryAtLowPriority(readTextJob, readText),
  retryAtLowPriority(createThumbnailJob, createThumbnail),
  retryAtLowPriority(ocrJob, runOcr),
  defineSchedule('enqueue-ocr', '* * * * *', enqueueOcr),
  defineSchedule('enqueue-stale-documents', '*/5 * * * *', async ({ db, jobs }: { db: Db; jobs: Jobs }) => {
    await enqueueStaleDocuments(db, jobs)
  }),
]
