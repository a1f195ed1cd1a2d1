import { defineJobHandler, defineSchedule } from '../../../platform/jobs/job.ts'
import { checkProblems, problemMailJob, sendProblemMail } from './attention.ts'

export const attentionJobs = [
  defineJobHandler(problemMailJob, sendProblemMail),
  defineSchedule('check-problems', '*/5 * * * *', checkProblems),
]
