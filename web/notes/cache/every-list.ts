import type { QueryFilters } from '@tanstack/react-query'
import type { Note } from '../../../contract/notes.ts'
import { queryClient } from '../../api/query-client.ts'
import { session } from '../../session/store.ts'
import type { listKey } from '../list/list-query.ts'
import type { NoteScope } from '../list/scopes.ts'
import { activeFilters } from '../search/search-params.ts'
import { changeIn, changeNote, type ListData, removeFrom, removeNote } from './cache.ts'

/** Changes a note wherever it is held: in every list of the cache and in the lists of the session. */
export function changeNoteEverywhere(noteId: string, change: (note: Note) => Note): void {
  changeLists((list) => changeNote(list, noteId, change))
  replaceSessionLists((notes) => changeIn(notes, noteId, change))
}

/** Takes a note that is gone out of every list, recently viewed among them (SPEC.md section 4). */
export function removeNoteEverywhere(noteId: string): void {
  changeLists((list) => removeNote(list, noteId))
  replaceSessionLists((notes) => removeFrom(notes, noteId))
}

/**
 * Makes lists ask the server when they are next visited. A list on display stays as it is until then: a note unliked by
 * mistake can be liked again where it is, and nothing jumps under the finger.
 */
export function outdateLists(scope: NoteScope): void {
  outdate({ queryKey: ['notes', scope] })
}

/** The same for every list with a filter: an edit may have brought a note into a search, or out of it. */
export function outdateFilteredLists(): void {
  outdate({
    queryKey: ['notes'],
    predicate: ({ queryKey }) => activeFilters((queryKey as ReturnType<typeof listKey>)[2]).length > 0,
  })
}

function outdate(lists: QueryFilters): void {
  queryClient.removeQueries({ ...lists, type: 'inactive' })
  void queryClient.invalidateQueries({ ...lists, refetchType: 'none' })
}

/** Changes lists in the cache without making them look newer than they are. */
function changeLists(change: (list: ListData) => ListData): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['notes'] })) {
    const { data, dataUpdatedAt, isInvalidated } = query.state
    if (data === undefined) continue
    const changed = change(data as ListData)
    if (changed === data) continue
    queryClient.setQueryData(query.queryKey, changed, { updatedAt: dataUpdatedAt })
    if (isInvalidated) query.invalidate()
  }
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
