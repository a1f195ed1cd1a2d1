import { getNote } from '../../../packages/contract/notes.endpoints.ts'
import type { Note, NoteEdit } from '../../../packages/contract/notes.ts'
import { ApiError, api } from '../../platform/api/client.ts'
import { writeOver } from '../../platform/api/write-over.ts'
import { showErrorToast } from '../../platform/session/show-error-toast.ts'
import { currentMoment, upsertNotes } from './cache/note-cache.ts'
import { removeNote } from './cache/user-lists.ts'
import { textOf } from './properties.ts'

type Change = { [Name in keyof NoteEdit]?: NoteEdit[Name] | null }

/**
 * Changes some fields of a note. If the note was edited meanwhile, it is fetched again and the change is sent once
 * more.
 * @throws ApiError `outdated` with a message for each field in which both edits conflict. The current note is in the
 * cache then, so that the user can decide.
 */
export const writeNote = <Answer>(read: Note, change: Change, send: (note: Note) => Promise<Answer>): Promise<Answer> =>
  writeOver(read, send, async () => {
    const askedAt = currentMoment()
    const now = await api.call(getNote, { params: { id: read._id } })
    upsertNotes([now], askedAt)
    const fields = clashes(read, now, change)
    const [message] = Object.values(fields)
    if (message !== undefined) throw new ApiError({ status: 412, body: { code: 'outdated', message, fields } })
    return now
  })

function clashes(read: Note, now: Note, change: Change): Record<string, string> {
  const names = Object.keys(change) as (keyof Change)[]
  const clashing = names.filter((name) => ![read, change].some((side) => (side[name] ?? '') === (now[name] ?? '')))
  return Object.fromEntries(clashing.map((name) => [name, describe(name, now[name])]))
}

const describe = (name: string, value: string | boolean | undefined) =>
  typeof value === 'boolean'
    ? `Turned ${value ? 'on' : 'off'} in the meantime. Try again if that’s right.`
    : `Changed to “${textOf(name, value ?? '-')}” in the meantime. Try again to replace it.`

/** Whether a failure means that the note was deleted after the list was loaded. */
export const isDeleted = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'note_not_found'

/** Shows why a call about a note failed, and removes the note from every list if it was deleted. */
export function showFailure(failure: unknown, noteId: string, fallback: string): void {
  if (isDeleted(failure)) removeNote(noteId)
  showErrorToast(failure, fallback)
}
