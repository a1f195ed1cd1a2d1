import type { Db } from '../../../platform/db/pool.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/queue.ts'
import { drawPictureJob, lettingOthersPass, readTextJob, takeUpDocuments } from './enqueue-processing.ts'
import { recogniseJob, recogniseText, takeUpRecognition } from './ocr.ts'
import { readText } from './text.ts'
import { drawPicture } from './thumbnail.ts'

export const documentJobs = [
  lettingOthersPass(readTextJob, readText),
  lettingOthersPass(drawPictureJob, drawPicture),
  lettingOthersPass(recogniseJob, recogniseText),
  defineSchedule('take-up-recognition', '* * * * *', takeUpRecognition),
  defineSchedule('take-up-documents', '*/5 * * * *', async ({ db, jobs }: { db: Db; jobs: Jobs }) => {
    await takeUpDocuments(db, jobs)
  }),
]
