import { changeNote, deleteNote } from '../../../../packages/contract/notes.endpoints.ts'
import type { Note, NoteChange } from '../../../../packages/contract/notes.ts'
import { ApiError, api, getErrorMessage } from '../../../platform/api/client.ts'
import { pause } from '../../../platform/api/pause.ts'
import { isOutdated } from '../../../platform/api/write-over.ts'
import { keepWritten } from '../cache/note-cache.ts'
import { removeNote } from '../cache/user-lists.ts'
import { isDeleted, writeNote } from '../write-note.ts'

/** `unknown`: no response arrived or the session ended. `untried`: the run ended before this note. */
export type BulkItemStatus =
  | { kind: 'waiting' | 'working' | 'done' | 'untried' }
  | { kind: 'failed' | 'unknown'; reason: string }

export type Change = (noteId: string) => Promise<void>

type Options = { onFate: (noteId: string, fate: BulkItemStatus) => void; stop: AbortSignal }

/** How often a note is retried when the server asks to wait. */
const maxWaits = 6

/** Changes one note after another. A failure stops the run only if its status is `unknown`. */
export async function runBulkAction(noteIds: string[], change: Change, { onFate, stop }: Options): Promise<void> {
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
      if (isDeleted(failure)) removeNote(noteId)
      if (!isRetryable(failure) || waits === maxWaits) return fateOf(failure)
      await pause((failure.retryAfterSeconds ?? 1) * 1000, stop).catch(() => {})
      if (stop.aborted) return { kind: 'untried' }
    }
  }
}

const isRetryable = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && (failure.code === 'busy' || failure.code === 'rate_limited')

/** Without a response or a session the status is `unknown`, which ends the run. */
function fateOf(failure: unknown): BulkItemStatus {
  if (failure instanceof ApiError && failure.status === 0) {
    return { kind: 'unknown', reason: 'No response. The change may or may not have been saved.' }
  }
  if (failure instanceof ApiError && failure.status === 401) return { kind: 'unknown', reason: failure.message }
  return { kind: 'failed', reason: getErrorMessage(failure, 'Failed. Please try again later.') }
}

/** A note that is already deleted counts as success. */
export const deleteOne: Change = async (noteId) => {
  await api.call(deleteNote, { params: { id: noteId } }).catch((failure) => {
    if (!isDeleted(failure)) throw failure
  })
  removeNote(noteId)
}

/**
 * Sends only the changed fields, so that the others keep their current values, also those set on another device.
 * @param notes as the user sees them. If another edit of the same field conflicts, a retry overwrites it.
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
