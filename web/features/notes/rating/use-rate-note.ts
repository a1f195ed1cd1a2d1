import { mutationOptions, useMutation } from '@tanstack/react-query'
import type { Note } from '../../../../packages/contract/notes.ts'
import { changeRating } from '../../../../packages/contract/ratings.endpoints.ts'
import type { RatingAnswer } from '../../../../packages/contract/ratings.ts'
import { api } from '../../../platform/api/client.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { currentMoment, patchCachedNote, upsertNotes } from '../cache/note-cache.ts'
import { getUserLists, type UserLists, updateUserLists } from '../cache/own-lists.ts'
import { showFailure } from '../note-errors.ts'
import {
  adjustCounts,
  getRating,
  type RatingButton,
  type RatingStep,
  rollbackRating,
  toggleRating,
  withOpinion,
} from './rating.ts'

/** One press: the note and the student's lists as they were then, and what the press does to them. */
type RatingMutation = { note: Note; before: UserLists; step: RatingStep }

const ratingKey = (noteId: string) => ['rating', noteId] as const

/** `keepalive` sends it even if the tab is closed. */
const sendRating = (noteId: string, { change }: RatingStep) =>
  api.call(changeRating, { params: { id: noteId }, body: change, keepalive: true })

/** For a page that is left: what waits for its turn would be lost with it. A rating that is sent twice is the same. */
export function sendWaitingRatings(): void {
  for (const { state } of queryClient.getMutationCache().findAll({ mutationKey: ['rating'], status: 'pending' })) {
    const { note, step } = state.variables as RatingMutation
    if (state.isPaused) sendRating(note._id, step).catch(() => {})
  }
}

/**
 * Shows the rating at once, then asks the server, whose answer is the truth; takes it back with a toast on failure. It
 * goes by the press alone, since its card may have been drawn anew before the answer comes, or be gone.
 */
export const rating = (noteId: string) =>
  mutationOptions({
    mutationKey: ratingKey(noteId),
    // One after another, since each answer carries the student's whole lists: were two under way, the answer that left
    // the server first could arrive last and take the other like back.
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
      updateUserLists(rollbackRating(lists, noteId, before))
      patchCachedNote(noteId, { likes: note.likes, dislikes: note.dislikes })
      showFailure(failure, noteId, step.failure)
    },
  })

/** What the rating buttons of a note do. A press while another of the same note is under way does nothing. */
export function useRateNote(note: Note): (button: RatingButton) => void {
  const { mutate } = useMutation(rating(note._id))
  return (button) => {
    const before = getUserLists()
    if (before === undefined || queryClient.isMutating({ mutationKey: ratingKey(note._id) }) > 0) return
    mutate({ note, before, step: toggleRating(getRating(before, note._id), button) })
  }
}

function applyServerRating({ likes, dislikes, user }: RatingAnswer, noteId: string): void {
  let lists = { ...user, likedNotesDisplay: upsertNotes(user.likedNotesDisplay, currentMoment()) }
  patchCachedNote(noteId, { likes, dislikes })
  // What the student pressed meanwhile is not in this answer yet, but stays on display.
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
