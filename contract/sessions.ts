import * as z from 'zod/mini'
import { id } from './fields.ts'
import { recentlyViewedLimit } from './limits.ts'
import { note } from './notes.ts'
import { userRatings } from './ratings.ts'

/** The signed-in student, as only that student sees it. Lists of notes are newest first: last viewed, last liked. */
export const user = z.extend(userRatings, {
  _id: id,
  name: z.string(),
  email: z.string(),
  recentlyViewedNotes: z.array(note),
})
export type User = z.infer<typeof user>

export const loginAnswer = z.object({ accessToken: z.string(), user })
export const refreshAnswer = z.object({ accessToken: z.string() })
export const userAnswer = z.object({ user })

/** PATCH /api/users/me. Unknown ids are dropped, duplicates removed, the rest cut to `recentlyViewedLimit`. */
export const profileChange = z.object({ recentlyViewedNotes: z.array(id).check(z.maxLength(10 * recentlyViewedLimit)) })

/** What an operator may set and the pages must know. */
export const clientConfig = z.object({
  maxFiles: z.int().check(z.positive()),
  maxFileMb: z.number().check(z.positive()),
  /** 1 to 12. */
  academicYearStartMonth: z.int().check(z.gte(1), z.lte(12)),
})
export type ClientConfig = z.infer<typeof clientConfig>
