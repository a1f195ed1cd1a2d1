import { defineSchedule, defineWork } from '../../../platform/jobs/job.ts'
import { checkProblems, problemMailJob, sendProblemMail } from './attention.ts'

export const attentionJobs = [
  defineWork(problemMailJob, sendProblemMail),
  defineSchedule('check-problems', '*/5 * * * *', checkProblems),
]
