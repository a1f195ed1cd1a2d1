import { defineSchedule } from '../jobs/job.ts'
import { answerOrphans } from './claims.ts'

export const reportJobs = [defineSchedule('answer-claims', '*/10 * * * *', answerOrphans)]
