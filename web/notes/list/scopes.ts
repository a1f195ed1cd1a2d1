import { listLikedNotes, listMyNotes, listNotes } from '../../../contract/search.endpoints.ts'
import * as paths from '../../paths.ts'
import type { NoteScope } from '../cache/note-cache.ts'

type ScopeFacts = {
  list: typeof listNotes | typeof listMyNotes | typeof listLikedNotes
  pagePath: (search?: string) => string
  searchTitle: string
  gridTitle: string
  /** Whether the owner may edit and delete here. */
  allowsChange: boolean
}

export const scopes: Record<NoteScope, ScopeFacts> = {
  all: {
    list: listNotes,
    pagePath: paths.browse,
    searchTitle: 'Search Notes',
    gridTitle: 'Browse Notes',
    allowsChange: false,
  },
  mine: {
    list: listMyNotes,
    pagePath: paths.myNotes,
    searchTitle: 'Search My Notes',
    gridTitle: 'My Notes',
    allowsChange: true,
  },
  liked: {
    list: listLikedNotes,
    pagePath: paths.likedNotes,
    searchTitle: 'Search Liked Notes',
    gridTitle: 'Liked Notes',
    allowsChange: false,
  },
}
