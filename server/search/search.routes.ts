import { notePage, noteQuery } from '../../contract/search.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { refusals } from '../http/schemas.ts'
import type { Scope } from './search.queries.ts'
import { listNotes } from './search.ts'

const lists: { url: string; scope: Scope; summary: string }[] = [
  { url: '/api/notes', scope: 'all', summary: 'Browse and search all notes' },
  { url: '/api/users/me/notes', scope: 'mine', summary: 'Browse and search my notes' },
  { url: '/api/users/me/notes/liked', scope: 'liked', summary: 'Browse and search the notes I like' },
]

export function searchRoutes(app: App, { db, requireUser }: Deps): void {
  for (const { url, scope, summary } of lists) {
    app.get(
      url,
      {
        onRequest: requireUser,
        schema: {
          tags: ['notes'],
          summary,
          querystring: noteQuery,
          response: { 200: notePage, ...refusals('invalid_input', 'unauthorized') },
        },
      },
      (request) => listNotes(db, scope, request.userId, request.query),
    )
  }
}
