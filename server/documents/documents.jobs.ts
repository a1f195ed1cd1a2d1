import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import type { Jobs } from '../jobs/queue.ts'
import { drawPicture } from './picture.ts'
import { recogniseJob, recogniseText, takeUpRecognition } from './recognition.ts'
import { drawPictureJob, lettingOthersPass, readTextJob, takeUpDocuments } from './take-up.ts'
import { readText } from './text.ts'

export const documentJobs = [
  lettingOthersPass(readTextJob, readText),
  lettingOthersPass(drawPictureJob, drawPicture),
  lettingOthersPass(recogniseJob, recogniseText),
  defineSchedule('take-up-recognition', '* * * * *', takeUpRecognition),
  defineSchedule('take-up-documents', '*/5 * * * *', async ({ db, jobs }: { db: Db; jobs: Jobs }) => {
    await takeUpDocuments(db, jobs)
  }),
]
