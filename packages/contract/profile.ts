import * as z from 'zod/mini'
import { announcement } from './announcements.ts'
import { id, timestamp } from './fields.ts'
import { recentlyViewedLimit } from './limits.ts'
import { note } from './notes.ts'
import { userRatings } from './ratings.ts'

/** Why and until when the account is suspended; `until` is null if an admin must lift it. */
const suspension = z.object({
  until: z.nullable(timestamp),
  reason: z.string(),
  /** The title of the note that caused the suspension, if one did. */
  noteTitle: z.nullable(z.string()),
})
export type OwnSuspension = z.infer<typeof suspension>

/**
 * The logged-in user, as only that user sees it. Lists of notes are sorted by when they were last viewed or liked,
 * newest first.
 */
export const user = z.extend(userRatings, {
  _id: id,
  name: z.string(),
  email: z.string(),
  recentlyViewedNotes: z.array(note),
  /** The version of that list: the value for If-Match, in double quotes there. */
  version: z.optional(z.string()),
  /** Missing for a student. */
  role: z.optional(z.enum(['moderator', 'admin'])),
  /** When the account will be deleted, if the user requested it. */
  leavesAt: z.optional(timestamp),
  /** The current announcement of the admins, if any. */
  announcement: z.optional(announcement),
  /** Set if the account is suspended: the session can open little more than this, and the lists are empty. */
  suspension: z.optional(suspension),
})
export type User = z.infer<typeof user>

/** PATCH /api/users/me. Unknown ids are dropped, duplicates removed, and the rest is cut to `recentlyViewedLimit`. */
export const profileChange = z.object({ recentlyViewedNotes: z.array(id).check(z.maxLength(10 * recentlyViewedLimit)) })
