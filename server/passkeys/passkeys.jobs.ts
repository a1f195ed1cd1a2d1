import type { Db } from '../db/pool.ts'
import { defineSchedule } from '../jobs/job.ts'
import { deleteExpiredChallenges } from './passkeys.ts'

export const passkeyJobs = [
  defineSchedule('sweep-passkey-challenges', '17 * * * *', ({ db }: { db: Db }) => deleteExpiredChallenges(db)),
]
