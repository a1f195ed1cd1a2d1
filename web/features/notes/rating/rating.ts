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

/** The effect of one press: both ratings, the request, and the text for a failure (SPEC.md section 8). */
export type RatingStep = { from: Rating; to: Rating; change: RatingChange; failure: string }

/** SPEC.md section 4: a press toggles, and liking removes a dislike and vice versa. */
export function toggleRating(from: Rating, button: RatingButton): RatingStep {
  const pressed = button === 'like' ? 'liked' : 'disliked'
  const to = from === pressed ? 'none' : pressed
  const signOf = (rating: Rating): '+' | '-' | undefined => (to === rating ? '+' : from === rating ? '-' : undefined)
  const [likes, dislikes] = [signOf('liked'), signOf('disliked')]
  const action = to === 'none' ? `remove ${button} from` : button
  return {
    from,
    to,
    change: { ...(likes && { likes }), ...(dislikes && { dislikes }) },
    failure: `Failed to ${action} note. Please try again later.`,
  }
}

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
