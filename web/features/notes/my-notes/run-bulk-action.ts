import { changeNote, deleteNote } from '../../../../packages/contract/notes.endpoints.ts'
import type { Note, NoteChange } from '../../../../packages/contract/notes.ts'
import { ApiError, api, getErrorMessage } from '../../../platform/api/client.ts'
import { pause } from '../../../platform/api/pause.ts'
import { isOutdated } from '../../../platform/api/write-over.ts'
import { keepWritten } from '../cache/note-cache.ts'
import { removeNote } from '../cache/own-lists.ts'
import { isGone } from '../note-errors.ts'
import { writeNote } from '../write-note.ts'

/** How one note of several has fared. `unknown`: no answer came. `untried`: something ended all of it before. */
export type BulkItemStatus =
  | { kind: 'waiting' | 'working' | 'done' | 'untried' }
  | { kind: 'failed' | 'unknown'; reason: string }

/** Changes one note. */
export type Change = (noteId: string) => Promise<void>

type Told = { onFate: (noteId: string, fate: BulkItemStatus) => void; stop: AbortSignal }

/** How often a note is tried again that the server asks to wait for. */
const maxWaits = 6

/** One note after the other, each by itself: what becomes of one says nothing of the next, unless nobody answers any more. */
export async function runBulkAction(noteIds: string[], change: Change, { onFate, stop }: Told): Promise<void> {
  let isOver = false
  for (const noteId of noteIds) {
    isOver ||= stop.aborted
    if (isOver) {
      onFate(noteId, { kind: 'untried' })
      continue
    }
    onFate(noteId, { kind: 'working' })
    const fate = await runWithRetry(noteId, change, stop)
    onFate(noteId, fate)
    isOver = fate.kind === 'unknown'
  }
}

async function runWithRetry(noteId: string, change: Change, stop: AbortSignal): Promise<BulkItemStatus> {
  for (let waits = 0; ; waits++) {
    try {
      await change(noteId)
      return { kind: 'done' }
    } catch (failure) {
      if (isGone(failure)) removeNote(noteId)
      if (!isRetryable(failure) || waits === maxWaits) return fateOf(failure)
      await pause((failure.retryAfterSeconds ?? 1) * 1000, stop).catch(() => {})
      if (stop.aborted) return { kind: 'untried' }
    }
  }
}

const isRetryable = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && (failure.code === 'busy' || failure.code === 'rate_limited')

/** Without an answer, and where the session has ended, it makes no sense to go on. */
function fateOf(failure: unknown): BulkItemStatus {
  if (failure instanceof ApiError && failure.status === 0) {
    return { kind: 'unknown', reason: 'No answer came: it may have been changed or not.' }
  }
  if (failure instanceof ApiError && failure.status === 401) return { kind: 'unknown', reason: failure.message }
  return { kind: 'failed', reason: getErrorMessage(failure, 'This did not work. Please try again later.') }
}

/** A note that is gone already is what was wished for. */
export const deleteOne: Change = async (noteId) => {
  await api.call(deleteNote, { params: { id: noteId } }).catch((failure) => {
    if (!isGone(failure)) throw failure
  })
  removeNote(noteId)
}

/**
 * Only what is to be the same for all is sent: everything else stays as it is by then, also on another device.
 * @param notes as the user sees them. Where another edit of the same fails this one, trying again replaces it.
 */
export function editOne(change: NoteChange, notes: Note[]): Change {
  const seen = new Map(notes.map((note) => [note._id, note]))
  return async (id) => {
    const send = (note?: Note) => api.call(changeNote, { params: { id }, body: change, ifMatch: note?.version })
    const note = seen.get(id)
    const sent = note ? writeNote(note, change, send) : send()
    const saved = await sent.catch((failure) => {
      if (isOutdated(failure)) seen.delete(id)
      throw failure
    })
    keepWritten(saved)
  }
}
