import { listLikedNotes, listMyNotes, listNotes } from '../../../../packages/contract/search.endpoints.ts'
import { type NoteSearch, parseSearch } from '../../search/search-params.ts'
import type { NoteScope } from '../cache/note-cache.ts'
import { groupedByCourse } from './preferences.ts'

type ScopeFacts = {
  list: typeof listNotes | typeof listMyNotes | typeof listLikedNotes
  searchTitle: string
  gridTitle: string
  /** The label of the search box, if it does not search all notes. */
  boxLabel?: string
  /** Whether authors may edit and delete notes in this list. */
  allowsChange: boolean
}

export const scopes: Record<NoteScope, ScopeFacts> = {
  all: {
    list: listNotes,
    searchTitle: 'Search Notes',
    gridTitle: 'Browse Notes',
    allowsChange: false,
  },
  mine: {
    list: listMyNotes,
    searchTitle: 'Search My Notes',
    gridTitle: 'My Notes',
    boxLabel: 'Search inside my notes',
    allowsChange: true,
  },
  liked: {
    list: listLikedNotes,
    searchTitle: 'Search Liked Notes',
    gridTitle: 'Liked Notes',
    boxLabel: 'Search inside liked notes',
    allowsChange: false,
  },
}

export function readSearchOf(
  scope: NoteScope,
  params: URLSearchParams,
  isGrouped: 'true' | 'false' = groupedByCourse.get(),
): NoteSearch {
  return { ...parseSearch(params), isGrouped: scope === 'mine' && isGrouped === 'true' }
}
