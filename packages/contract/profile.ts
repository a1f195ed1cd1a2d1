import * as z from 'zod/mini'
import { announcement } from './announcements.ts'
import { id, timestamp } from './fields.ts'
import { recentlyViewedLimit } from './limits.ts'
import { note } from './notes.ts'
import { userRatings } from './ratings.ts'

/** Why an account is suspended, and until when: null where an admin has to lift it. */
const suspension = z.object({
  until: z.nullable(timestamp),
  reason: z.string(),
  /** Of the note it is for, where it is for one. */
  noteTitle: z.nullable(z.string()),
})
export type OwnSuspension = z.infer<typeof suspension>

/** The signed-in student, as only that student sees it. Lists of notes are newest first: last viewed, last liked. */
export const user = z.extend(userRatings, {
  _id: id,
  name: z.string(),
  email: z.string(),
  recentlyViewedNotes: z.array(note),
  /** Of that list: what If-Match takes, in double quotes. */
  version: z.optional(z.string()),
  /** Where it is not a student's. */
  role: z.optional(z.enum(['moderator', 'admin'])),
  /** When the account will be deleted, where its student asked for it. */
  leavesAt: z.optional(timestamp),
  /** What the admins have to say to everybody, if anything. */
  announcement: z.optional(announcement),
  /** Where the account is suspended, and the session opens little else than this. The lists are empty then. */
  suspension: z.optional(suspension),
})
export type User = z.infer<typeof user>

/** PATCH /api/users/me. Unknown ids are dropped, duplicates removed, the rest cut to `recentlyViewedLimit`. */
export const profileChange = z.object({ recentlyViewedNotes: z.array(id).check(z.maxLength(10 * recentlyViewedLimit)) })
