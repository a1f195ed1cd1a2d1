import { z } from 'zod'
import { notesChoices } from '../../../../packages/contract/settings.ts'
import { defineJob } from '../../../platform/jobs/job.ts'

/** A library of hundreds of notes is rewritten file by file. */
export const deleteAccountJob = defineJob('leave', z.object({ userId: z.uuid() }), { timeoutSeconds: 30 * 60 })

/** To an address that has no account any more, so it stands here itself. */
export const accountDeletedMailJob = defineJob(
  'left-mail',
  z.object({ email: z.string(), notes: z.enum(notesChoices) }),
)
