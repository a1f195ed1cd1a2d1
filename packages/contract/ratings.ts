import * as z from 'zod/mini'
import { count, id } from './fields.ts'
import { note } from './notes.ts'

const sign = z.enum(['+', '-'])

/**
 * Sets or removes the user's like and dislike. Adding one removes the other, so both cannot be added at the same time.
 */
export const ratingChange = z.object({ likes: z.optional(sign), dislikes: z.optional(sign) }).check(
  z.refine((change) => change.likes !== undefined || change.dislikes !== undefined, {
    error: 'Say whether to like or to dislike.',
  }),
  z.refine((change) => !(change.likes === '+' && change.dislikes === '+'), {
    error: 'A note cannot be both liked and disliked.',
  }),
)
export type RatingChange = z.infer<typeof ratingChange>

export const userRatings = z.object({
  likedNotes: z.array(id),
  dislikedNotes: z.array(id),
  likedNotesDisplay: z.array(note),
})
export type UserRatings = z.infer<typeof userRatings>

export const ratingResponse = z.object({
  likes: count,
  dislikes: count,
  user: userRatings,
})
export type RatingResponse = z.infer<typeof ratingResponse>
