import * as paths from '../../paths.ts'
import type { NoteScope } from '../cache/note-cache.ts'

type ScopeFacts = {
  callPath: string
  pagePath: (search?: string) => string
  searchTitle: string
  gridTitle: string
  /** Whether the owner may edit and delete here. */
  allowsChange: boolean
}

export const scopes: Record<NoteScope, ScopeFacts> = {
  all: {
    callPath: '/api/notes',
    pagePath: paths.browse,
    searchTitle: 'Search Notes',
    gridTitle: 'Browse Notes',
    allowsChange: false,
  },
  mine: {
    callPath: '/api/users/me/notes',
    pagePath: paths.myNotes,
    searchTitle: 'Search My Notes',
    gridTitle: 'My Notes',
    allowsChange: true,
  },
  liked: {
    callPath: '/api/users/me/notes/liked',
    pagePath: paths.likedNotes,
    searchTitle: 'Search Liked Notes',
    gridTitle: 'Liked Notes',
    allowsChange: false,
  },
}
