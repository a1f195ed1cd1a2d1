import type { Note } from '../../contract/notes.ts'
import { changeRating } from '../../contract/ratings.endpoints.ts'
import type { RatingAnswer } from '../../contract/ratings.ts'
import { api, messageOf } from '../api/client.ts'
import { session } from '../session/store.ts'
import { showError } from '../ui/toast.ts'
import { changeNoteEverywhere, outdateLists, removeNoteEverywhere } from './every-list.ts'
import { isGone } from './failures.ts'
import {
  type Opinion,
  opinionOf,
  pressRating,
  type RatingButton,
  recount,
  withOpinion,
  withOpinionRestored,
} from './rating.ts'

/** Opinions shown but not yet confirmed. One request at a time per note: a press while it is under way does nothing. */
const underWay = new Map<string, { note: Note; opinion: Opinion }>()
/**
 * Requests go one after another, since each answer carries the student's whole lists: were two under way, the answer
 * that left the server first could arrive last and take the other like back.
 */
let lastRequest: Promise<unknown> = Promise.resolve()

/** Shows the rating at once, then asks the server, whose answer is the truth; takes it back with a toast on failure. */
export async function rateNote(note: Note, button: RatingButton): Promise<void> {
  const { user } = session.getState()
  if (user === null || underWay.has(note._id)) return
  const step = pressRating(opinionOf(user, note._id), button)
  const rated = recount(note, step.from, step.to)
  underWay.set(note._id, { note: rated, opinion: step.to })
  session.setRatings(withOpinion(user, rated, step.to))
  showCounts(note._id, rated)
  try {
    const answer = await inTurn(() => api.call(changeRating, { params: { id: note._id }, body: step.change }))
    underWay.delete(note._id)
    if (!isStill(user._id)) return
    showAnswer(note._id, answer)
    if (step.from === 'liked' || step.to === 'liked') outdateLists('liked')
  } catch (failure) {
    underWay.delete(note._id)
    // Where the session ended on the way, its own message says so.
    const now = session.getState().user
    if (now === null || now._id !== user._id) return
    session.setRatings(withOpinionRestored(now, note, user))
    showCounts(note._id, note)
    if (isGone(failure)) removeNoteEverywhere(note._id)
    showError(messageOf(failure, step.failure))
  }
}

const isStill = (userId: string): boolean => session.getState().user?._id === userId

function inTurn<T>(request: () => Promise<T>): Promise<T> {
  const result = lastRequest.then(request, request)
  lastRequest = result.catch(() => {})
  return result
}

function showAnswer(noteId: string, answer: RatingAnswer): void {
  let lists = answer.user
  // What the student pressed meanwhile is not in this answer yet, but stays on display.
  for (const pending of underWay.values()) lists = withOpinion(lists, pending.note, pending.opinion)
  session.setRatings(lists)
  showCounts(noteId, answer)
}

function showCounts(noteId: string, { likes, dislikes }: { likes: number; dislikes: number }): void {
  changeNoteEverywhere(noteId, (each) =>
    each.likes === likes && each.dislikes === dislikes ? each : { ...each, likes, dislikes },
  )
}
