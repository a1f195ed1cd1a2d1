import * as z from 'zod/mini'

/** What a visitor is told of this place. Counts are rounded down, and 0 below ten: they tell of no single note. */
export const about = z.object({
  notes: z.int().check(z.nonnegative()),
  courses: z.int().check(z.nonnegative()),
  /** As its operator says; plain text. */
  operatorName: z.nullable(z.string()),
  operatorText: z.nullable(z.string()),
})
export type About = z.infer<typeof about>
