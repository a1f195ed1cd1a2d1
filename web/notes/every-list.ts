import type { Note } from '../../contract/notes.ts'
import { queryClient } from '../api/query-client.ts'
import { session } from '../session/store.ts'
import { changeNote, type ListData, removeNote } from './cache.ts'
import type { NoteScope } from './scopes.ts'

/** Changes a note wherever it is held: in every list of the cache and in the lists of the session. */
export function changeNoteEverywhere(noteId: string, change: (note: Note) => Note): void {
  queryClient.setQueriesData<ListData>({ queryKey: ['notes'] }, (list) => list && changeNote(list, noteId, change))
  replaceSessionLists((notes) =>
    notes.some((note) => note._id === noteId)
      ? notes.map((note) => (note._id === noteId ? change(note) : note))
      : notes,
  )
}

/** Takes a note that is gone out of every list, recently viewed among them (SPEC.md section 4). */
export function removeNoteEverywhere(noteId: string): void {
  queryClient.setQueriesData<ListData>({ queryKey: ['notes'] }, (list) => list && removeNote(list, noteId))
  replaceSessionLists((notes) =>
    notes.some((note) => note._id === noteId) ? notes.filter((note) => note._id !== noteId) : notes,
  )
}

/**
 * Makes lists ask the server when they are next visited. A list on display stays as it is until then: a note unliked by
 * mistake can be liked again where it is, and nothing jumps under the finger.
 */
export function outdateLists(scope: NoteScope): void {
  queryClient.removeQueries({ queryKey: ['notes', scope], type: 'inactive' })
  void queryClient.invalidateQueries({ queryKey: ['notes', scope], refetchType: 'none' })
}

function replaceSessionLists(change: (notes: Note[]) => Note[]): void {
  const { user } = session.getState()
  if (user === null) return
  const viewed = change(user.recentlyViewedNotes)
  if (viewed !== user.recentlyViewedNotes) session.setRecentlyViewedNotes(viewed)
  const likedNotesDisplay = change(user.likedNotesDisplay)
  if (likedNotesDisplay !== user.likedNotesDisplay) {
    session.setRatings({ likedNotes: user.likedNotes, dislikedNotes: user.dislikedNotes, likedNotesDisplay })
  }
}
