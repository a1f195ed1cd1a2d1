import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import { deleteExpired } from './totp.ts'

export const totpJobs = [defineSchedule('sweep-login-steps', '7 * * * *', ({ db }: { db: Db }) => deleteExpired(db))]
