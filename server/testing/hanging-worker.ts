import { z } from 'zod'
import { defineJob } from '../platform/jobs/job.ts'
import { createJobs } from '../platform/jobs/queue.ts'
import { quietLog } from './log.ts'

// This server takes a job, reports it and never finishes it, until the test kills it.
const jobs = createJobs({ databaseUrl: process.argv[2] ?? '', log: quietLog, heartbeatTimeoutSeconds: 10 })
jobs.work(defineJob('test-doomed', z.object({ userId: z.string() })), async () => {
  process.stdout.write('under way\n')
  await new Promise(() => {})
})
await jobs.start()
