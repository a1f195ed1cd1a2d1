import { z } from 'zod'
import { defineJob } from '../../../platform/jobs/job.ts'

const payload = z.object({ exportId: z.uuid() })

export const exportJob = defineJob('export', payload, { timeoutSeconds: 30 * 60 })
export const exportMailJob = defineJob('export-mail', payload)
