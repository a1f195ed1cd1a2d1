import * as z from 'zod/mini'
import { count } from './fields.ts'

/** Number of weeks reported separately, including the current one. */
export const authorStatsWeeks = 12

/**
 * Counts of how a user's notes were used, shown only to that user. They name no readers and are no finer than a week.
 */
export const authorStats = z.object({
  /** Other users who opened or liked at least one of the notes. */
  helped: count,
  opened: count,
  liked: count,
  /** The last weeks, oldest first. `week` is its Monday in UTC. */
  weeks: z.array(z.object({ week: z.iso.date(), opened: count, liked: count })).check(z.length(authorStatsWeeks)),
})
export type AuthorStats = z.infer<typeof authorStats>
