import { z } from 'zod'
import { notesChoices } from '../../../../packages/contract/settings.ts'
import { defineJob } from '../../../platform/jobs/job.ts'

/** The job may rewrite hundreds of notes file by file. */
export const deleteAccountJob = defineJob('delete-account', z.object({ userId: z.uuid() }), { timeoutSeconds: 30 * 60 })

/** The payload contains the address, because the account no longer exists. */
export const accountDeletedMailJob = defineJob(
  'account-deleted-mail',
  z.object({ email: z.string(), notes: z.enum(notesChoices) }),
)
