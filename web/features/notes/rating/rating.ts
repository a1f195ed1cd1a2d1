import type { RatingChange } from '../../../../packages/contract/ratings.ts'

export type RatingButton = 'like' | 'dislike'
export type Rating = 'liked' | 'disliked' | 'none'
type Counts = { likes: number; dislikes: number }
export type RatedLists = {
  likedNotes: string[]
  dislikedNotes: string[]
  /** The latest liked notes, which the profile shows. */
  likedNotesDisplay: string[]
}

/** A user's rating of a note, and its counts. */
export type Rated = Counts & { rating: Rating }

/** SPEC.md section 4: a press toggles, and liking removes a dislike and vice versa. */
export function toggleRating(from: Rating, button: RatingButton): Rating {
  const pressed = button === 'like' ? 'liked' : 'disliked'
  return from === pressed ? 'none' : pressed
}

/** The request that results in a rating, whatever the rating was before. */
export const ratingChanges: Record<Rating, RatingChange> = {
  liked: { likes: '+' },
  disliked: { dislikes: '+' },
  none: { likes: '-', dislikes: '-' },
}

/** SPEC.md section 8. */
export const failureText = (button: RatingButton, to: Rating): string =>
  `Failed to ${to === 'none' ? `remove ${button} from` : button} note. Please try again later.`

/** Returns the counts of a note after one user's rating changes; never below zero. */
export function adjustCounts(counts: Counts, from: Rating, to: Rating): Counts {
  const likes = counts.likes + Number(to === 'liked') - Number(from === 'liked')
  const dislikes = counts.dislikes + Number(to === 'disliked') - Number(from === 'disliked')
  return { likes: Math.max(0, likes), dislikes: Math.max(0, dislikes) }
}

/** Returns a user's lists with one rating changed; a newly liked note comes first. */
export function withOpinion(lists: RatedLists, noteId: string, opinion: Rating): RatedLists {
  const changed = (ids: string[], isMember: boolean) => {
    const others = ids.filter((id) => id !== noteId)
    return isMember ? [noteId, ...others] : others
  }
  return {
    likedNotes: changed(lists.likedNotes, opinion === 'liked'),
    dislikedNotes: changed(lists.dislikedNotes, opinion === 'disliked'),
    likedNotesDisplay: changed(lists.likedNotesDisplay, opinion === 'liked'),
  }
}

export function getRating(lists: Omit<RatedLists, 'likedNotesDisplay'>, noteId: string): Rating {
  if (lists.likedNotes.includes(noteId)) return 'liked'
  return lists.dislikedNotes.includes(noteId) ? 'disliked' : 'none'
}
