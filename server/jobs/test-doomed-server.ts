import { z } from 'zod'
import { defineJob } from './job.ts'
import { createJobs } from './queue.ts'

// A server that takes a job, says so, and never finishes it: the test kills it.
const ignore = () => {}
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore }
const jobs = createJobs({ databaseUrl: process.argv[2] ?? '', log, takeOverAfterSeconds: 10 })
jobs.work(defineJob('test-doomed', z.object({ userId: z.string() })), async () => {
  process.stdout.write('under way\n')
  await new Promise(() => {})
})
await jobs.start()
