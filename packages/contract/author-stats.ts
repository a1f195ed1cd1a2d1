import * as z from 'zod/mini'
import { count } from './fields.ts'

/** Weeks that are told one by one, the one under way among them. */
export const authorStatsWeeks = 12

/** What came of a student's notes, told to that student alone: how many, never who, nothing closer than a week. */
export const authorStats = z.object({
  /** Other students who opened or liked a note of theirs at least once. */
  helped: count,
  opened: count,
  liked: count,
  /** The last ones, oldest first. `week`: its Monday, by UTC. */
  weeks: z.array(z.object({ week: z.iso.date(), opened: count, liked: count })).check(z.length(authorStatsWeeks)),
})
export type AuthorStats = z.infer<typeof authorStats>
