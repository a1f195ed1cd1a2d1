import * as z from 'zod/mini'

/** Settings of the operator that the pages need. */
export const clientConfig = z.object({
  maxFiles: z.int().check(z.positive()),
  maxFileMb: z.number().check(z.positive()),
  /** 1 to 12. */
  academicYearStartMonth: z.int().check(z.gte(1), z.lte(12)),
})
export type ClientConfig = z.infer<typeof clientConfig>

export const healthResponse = z.object({ status: z.literal('ok') })

const partState = z.enum(['ok', 'failed'])
/** `degraded` means that a part does not work, but lists can be read. */
export const readinessResponse = z.object({
  status: z.enum(['ok', 'degraded']),
  parts: z.record(z.string(), partState),
})
