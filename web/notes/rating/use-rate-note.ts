import { useMutation } from '@tanstack/react-query'
import type { Note } from '../../../contract/notes.ts'
import { type RatingAnswer, ratingAnswer } from '../../../contract/ratings.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { changeNote, keepNotes, outdateLists } from '../cache/note-cache.ts'
import { changeOwnLists, findOwnLists, type OwnLists } from '../cache/own-lists.ts'
import { showFailure } from '../failures.ts'
import {
  opinionOf,
  pressRating,
  type RatingButton,
  type RatingStep,
  recount,
  withOpinion,
  withOpinionRestored,
} from './rating.ts'

/** One press: the note as it was then, and what the press does to it. */
type Press = { note: Note; step: RatingStep }

const ratingKey = (noteId: string) => ['rating', noteId] as const

/**
 * What the rating buttons of a note do: show the rating at once, then ask the server, whose answer is the truth; on
 * failure take it back with a toast. A press while one of the same note is under way does nothing.
 */
export function useRateNote(note: Note): (button: RatingButton) => void {
  const { mutate } = useMutation({
    mutationKey: ratingKey(note._id),
    // One after another, since each answer carries the student's whole lists: were two under way, the answer that left
    // the server first could arrive last and take the other like back.
    scope: { id: 'rating' },
    meta: { isAwaited: false },
    // What follows may run after the card has been drawn anew, or is gone: it goes by the press alone.
    mutationFn: ({ note, step }: Press) =>
      api.patch(`/api/notes/${note._id}/rating`, step.change, { answer: ratingAnswer }),
    onMutate({ note, step }) {
      const before = findOwnLists()
      if (before !== undefined) changeOwnLists(withOpinion(before, note._id, step.to))
      changeNote(note._id, recount(note, step.from, step.to))
      return before
    },
    onSuccess(answer, { note, step }, before) {
      if (!isStillOf(before)) return
      takeOver(answer, note._id)
      if (step.from === 'liked' || step.to === 'liked') outdateLists('liked')
    },
    onError(failure, { note, step }, before) {
      const lists = findOwnLists()
      if (before === undefined || lists === undefined || !isStillOf(before)) return
      changeOwnLists(withOpinionRestored(lists, note._id, before))
      changeNote(note._id, { likes: note.likes, dislikes: note.dislikes })
      showFailure(failure, note._id, step.failure)
    },
  })
  return (button) => {
    const lists = findOwnLists()
    if (lists === undefined || queryClient.isMutating({ mutationKey: ratingKey(note._id) }) > 0) return
    mutate({ note, step: pressRating(opinionOf(lists, note._id), button) })
  }
}

/** Whether the student who pressed is the one who is signed in now. */
const isStillOf = (before: OwnLists | undefined) => findOwnLists()?.userId === before?.userId

function takeOver({ likes, dislikes, user }: RatingAnswer, noteId: string): void {
  let lists = { ...user, likedNotesDisplay: keepNotes(user.likedNotesDisplay) }
  changeNote(noteId, { likes, dislikes })
  // What the student pressed meanwhile is not in this answer yet, but stays on display.
  for (const { note, step } of pressesUnderWay()) {
    if (note._id === noteId) continue
    lists = withOpinion(lists, note._id, step.to)
    changeNote(note._id, recount(note, step.from, step.to))
  }
  changeOwnLists(lists)
}

const pressesUnderWay = () =>
  queryClient
    .getMutationCache()
    .findAll({ mutationKey: ['rating'], status: 'pending' })
    .map(({ state }) => state.variables as Press)
