import type { Note } from '../../../contract/notes.ts'
import type { RatingChange, UserRatings } from '../../../contract/ratings.ts'

export type RatingButton = 'like' | 'dislike'
export type Opinion = 'liked' | 'disliked' | 'none'

/** What one press of a button does: to the opinion, on the wire, and what to say where it fails (SPEC.md section 8). */
export type RatingStep = { from: Opinion; to: Opinion; change: RatingChange; failure: string }

const failures = {
  like: 'Failed to like note. Please try again later.',
  unlike: 'Failed to remove like from note. Please try again later.',
  dislike: 'Failed to dislike note. Please try again later.',
  undislike: 'Failed to remove dislike from note. Please try again later.',
} as const

/** SPEC.md section 4: a press toggles; liking removes a dislike and the other way round. */
export function pressRating(from: Opinion, button: RatingButton): RatingStep {
  if (button === 'like') {
    if (from === 'liked') return { from, to: 'none', change: { likes: '-' }, failure: failures.unlike }
    const change: RatingChange = from === 'disliked' ? { likes: '+', dislikes: '-' } : { likes: '+' }
    return { from, to: 'liked', change, failure: failures.like }
  }
  if (from === 'disliked') return { from, to: 'none', change: { dislikes: '-' }, failure: failures.undislike }
  const change: RatingChange = from === 'liked' ? { likes: '-', dislikes: '+' } : { dislikes: '+' }
  return { from, to: 'disliked', change, failure: failures.dislike }
}

/** The counts a note will have when one student's opinion goes from one to the other; never below zero. */
export function recount<T extends { likes: number; dislikes: number }>(note: T, from: Opinion, to: Opinion): T {
  const likes = note.likes + Number(to === 'liked') - Number(from === 'liked')
  const dislikes = note.dislikes + Number(to === 'disliked') - Number(from === 'disliked')
  return { ...note, likes: Math.max(0, likes), dislikes: Math.max(0, dislikes) }
}

/** A student's lists with one opinion changed; a newly liked note comes first. */
export function withOpinion(lists: UserRatings, note: Note, opinion: Opinion): UserRatings {
  const others = (ids: string[]) => ids.filter((id) => id !== note._id)
  const display = lists.likedNotesDisplay.filter((liked) => liked._id !== note._id)
  return {
    likedNotes: opinion === 'liked' ? [note._id, ...others(lists.likedNotes)] : others(lists.likedNotes),
    dislikedNotes: opinion === 'disliked' ? [note._id, ...others(lists.dislikedNotes)] : others(lists.dislikedNotes),
    likedNotesDisplay: opinion === 'liked' ? [note, ...display] : display,
  }
}

/**
 * The lists after a change that failed: what is about this note is as it was before, in its old place; what happened
 * to other notes meanwhile stays.
 */
export function withOpinionRestored(lists: UserRatings, note: Note, before: UserRatings): UserRatings {
  return {
    likedNotes: restored(lists.likedNotes, before.likedNotes, note._id),
    dislikedNotes: restored(lists.dislikedNotes, before.dislikedNotes, note._id),
    likedNotesDisplay: restored(
      lists.likedNotesDisplay,
      before.likedNotesDisplay.map((each) => (each._id === note._id ? note : each)),
      note,
      (each) => each._id,
    ),
  }
}

/** Puts an item back in front of the one that followed it, where it was in the list before; else takes it out. */
function restored<T>(now: T[], before: T[], item: T, idOf: (each: T) => unknown = (each) => each): T[] {
  const others = now.filter((each) => idOf(each) !== idOf(item))
  const at = before.findIndex((each) => idOf(each) === idOf(item))
  if (at === -1) return others
  const places = new Map(others.map((each, place) => [idOf(each), place]))
  const follower = before.slice(at + 1).find((each) => places.has(idOf(each)))
  return others.toSpliced((follower && places.get(idOf(follower))) ?? others.length, 0, item)
}

export function opinionOf(lists: Pick<UserRatings, 'likedNotes' | 'dislikedNotes'>, noteId: string): Opinion {
  if (membersOf(lists.likedNotes).has(noteId)) return 'liked'
  return membersOf(lists.dislikedNotes).has(noteId) ? 'disliked' : 'none'
}

// Hundreds of cards ask the same list about themselves at every change of the session: look it up, do not walk it.
const sets = new WeakMap<readonly string[], Set<string>>()
function membersOf(ids: readonly string[]): Set<string> {
  const known = sets.get(ids)
  if (known !== undefined) return known
  const members = new Set(ids)
  sets.set(ids, members)
  return members
}
