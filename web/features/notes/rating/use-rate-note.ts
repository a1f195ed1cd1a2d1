import { mutationOptions, useMutation } from '@tanstack/react-query'
import type { Note } from '../../../../packages/contract/notes.ts'
import { changeRating } from '../../../../packages/contract/ratings.endpoints.ts'
import type { RatingResponse } from '../../../../packages/contract/ratings.ts'
import { api } from '../../../platform/api/client.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { currentMoment, patchCachedNote, upsertNotes } from '../cache/note-cache.ts'
import { getUserLists, type UserLists, updateUserLists } from '../cache/user-lists.ts'
import { showFailure } from '../write-note.ts'
import { adjustCounts, getRating, type RatingButton, type RatingStep, toggleRating, withOpinion } from './rating.ts'

/** One button press: the note and the user's lists before it, and its effect. */
type RatingMutation = { note: Note; before: UserLists; step: RatingStep }

const ratingKey = (noteId: string) => ['rating', noteId] as const

/** `keepalive` sends the request even if the tab is closed. */
const sendRating = (noteId: string, { change }: RatingStep) =>
  api.call(changeRating, { params: { id: noteId }, body: change, keepalive: true })

/** Sends queued ratings when the page is closed, which would lose them. Sending one twice has no further effect. */
export function sendWaitingRatings(): void {
  for (const { state } of queryClient.getMutationCache().findAll({ mutationKey: ['rating'], status: 'pending' })) {
    const { note, step } = state.variables as RatingMutation
    if (state.isPaused) sendRating(note._id, step).catch(() => {})
  }
}

/**
 * Shows the rating immediately, then sends it and applies the server's response; a failure rolls it back with a toast.
 * It uses only the mutation's variables, because the card may have changed or disappeared by then.
 */
export const rating = (noteId: string) =>
  mutationOptions({
    mutationKey: ratingKey(noteId),
    // Ratings are sent one after another, because each response contains the user's whole lists. Of two concurrent
    // responses, the older one could arrive last and undo the other like.
    scope: { id: 'rating' },
    meta: { isAwaited: false },
    mutationFn: ({ step }: RatingMutation) => sendRating(noteId, step),
    onMutate({ note, before, step }) {
      updateUserLists(withOpinion(before, noteId, step.to))
      patchCachedNote(noteId, adjustCounts(note, step.from, step.to))
    },
    onSuccess(answer, { before }) {
      if (getUserLists()?.userId === before.userId) applyServerRating(answer, noteId)
    },
    onError(failure, { note, before, step }) {
      const lists = getUserLists()
      if (lists?.userId !== before.userId) return
      updateUserLists(withOpinion(lists, noteId, step.from))
      patchCachedNote(noteId, { likes: note.likes, dislikes: note.dislikes })
      showFailure(failure, noteId, step.failure)
    },
  })

/** Handles the rating buttons of a note. A press while its previous rating is in progress does nothing. */
export function useRateNote(note: Note): (button: RatingButton) => void {
  const { mutate } = useMutation(rating(note._id))
  return (button) => {
    const before = getUserLists()
    if (before === undefined || queryClient.isMutating({ mutationKey: ratingKey(note._id) }) > 0) return
    mutate({ note, before, step: toggleRating(getRating(before, note._id), button) })
  }
}

function applyServerRating({ likes, dislikes, user }: RatingResponse, noteId: string): void {
  let lists = { ...user, likedNotesDisplay: upsertNotes(user.likedNotesDisplay, currentMoment()) }
  patchCachedNote(noteId, { likes, dislikes })
  // Ratings that are still pending are not in this response, but stay displayed.
  for (const { note, step } of pressesUnderWay()) {
    if (note._id === noteId) continue
    lists = withOpinion(lists, note._id, step.to)
    patchCachedNote(note._id, adjustCounts(note, step.from, step.to))
  }
  updateUserLists(lists)
}

const pressesUnderWay = () =>
  queryClient
    .getMutationCache()
    .findAll({ mutationKey: ['rating'], status: 'pending' })
    .map(({ state }) => state.variables as RatingMutation)
