import { type MutationFilters, mutationOptions, useMutation } from '@tanstack/react-query'
import type { Note } from '../../../../packages/contract/notes.ts'
import { changeRating } from '../../../../packages/contract/ratings.endpoints.ts'
import { api } from '../../../platform/api/client.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { currentMoment, patchCachedNote, upsertNotes } from '../cache/note-cache.ts'
import { getUserLists, updateUserLists } from '../cache/user-lists.ts'
import { showFailure } from '../write-note.ts'
import {
  adjustCounts,
  failureText,
  getRating,
  type Rated,
  type Rating,
  type RatingButton,
  ratingChanges,
  toggleRating,
  withOpinion,
} from './rating.ts'

/** One button press: the note's rating and counts before it, which change while earlier presses are sent. */
type Press = { userId: string; noteId: string; button: RatingButton; before: Rated; to: Rating }

/** `keepalive` sends the request even if the tab is closed. */
const sendRating = ({ noteId, to }: Press) =>
  api.call(changeRating, { params: { id: noteId }, body: ratingChanges[to], keepalive: true })

/**
 * Sends the last queued press of each note when the page is closed, which would lose them. Sending one twice has no
 * further effect.
 */
export function sendWaitingRatings(): void {
  const waiting = new Map(
    findPresses({ predicate: ({ state }) => state.isPaused }).map((press) => [press.noteId, press]),
  )
  for (const press of waiting.values()) sendRating(press).catch(() => {})
}

/**
 * Shows the rating immediately, then sends it and applies the server's response; a failure rolls it back with a toast.
 * It uses only the mutation's variables, because the card may have changed or disappeared by then.
 */
export const ratingMutation = mutationOptions({
  mutationKey: ['rating'],
  // Ratings are sent one after another, because each response contains the user's whole lists. Of two concurrent
  // responses, the older one could arrive last and undo the other like.
  scope: { id: 'rating' },
  mutationFn: sendRating,
  onMutate: (press) => show(press.noteId, afterPress(press)),
  onSuccess({ likes, dislikes, user }, press) {
    if (getUserLists()?.userId !== press.userId) return
    updateUserLists({ ...user, likedNotesDisplay: upsertNotes(user.likedNotesDisplay, currentMoment()) })
    settle(press, { rating: press.to, likes, dislikes })
  },
  onError(failure, press) {
    if (getUserLists()?.userId !== press.userId) return
    settle(press, press.before)
    showFailure(failure, press.noteId, failureText(press.button, press.to))
  },
})

/** Returns null after the user logs out. */
export function pressOf(note: Note, button: RatingButton): Press | null {
  const lists = getUserLists()
  if (lists === undefined) return null
  const before = { rating: getRating(lists, note._id), likes: note.likes, dislikes: note.dislikes }
  return { userId: lists.userId, noteId: note._id, button, before, to: toggleRating(before.rating, button) }
}

/** Handles the rating buttons of a note. */
export function useRateNote(note: Note): (button: RatingButton) => void {
  const { mutate } = useMutation(ratingMutation)
  return (button) => {
    const press = pressOf(note, button)
    if (press !== null) mutate(press)
  }
}

/** Shows what the server has stored, and on top of it the presses that are still to be sent. */
function settle(settled: Press, stored: Rated): void {
  let before = stored
  show(settled.noteId, before)
  for (const press of findPresses()) {
    if (press === settled) continue
    if (press.noteId === settled.noteId) {
      press.before = before
      before = afterPress(press)
    }
    show(press.noteId, afterPress(press))
  }
}

const afterPress = ({ before, to }: Press): Rated => ({ rating: to, ...adjustCounts(before, before.rating, to) })

function show(noteId: string, { rating, likes, dislikes }: Rated): void {
  const lists = getUserLists()
  if (lists !== undefined) updateUserLists(withOpinion(lists, noteId, rating))
  patchCachedNote(noteId, { likes, dislikes })
}

const findPresses = (filters?: MutationFilters): Press[] =>
  queryClient
    .getMutationCache()
    .findAll({ mutationKey: ratingMutation.mutationKey, status: 'pending', ...filters })
    .map(({ state }) => state.variables as Press)
