import * as z from 'zod/mini'

/** Problems that need the attention of admins, the oldest first. */
export const problems = z.object({
  problems: z.array(z.object({ kind: z.string(), text: z.string(), since: z.iso.datetime() })),
})
