import * as z from 'zod/mini'

/**
 * What visitors see of this instance. Counts are rounded down, and below ten they are 0, so that they reveal no single
 * note.
 */
export const about = z.object({
  notes: z.int().check(z.nonnegative()),
  courses: z.int().check(z.nonnegative()),
  /** Plain text that the operator configures. */
  operatorName: z.nullable(z.string()),
  operatorText: z.nullable(z.string()),
})
export type About = z.infer<typeof about>
