import * as endpoints from '../../contract/search.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'
import { listNotes } from './search.ts'

export function searchRoutes(app: App, { db }: Deps): void {
  serve(app, endpoints.listNotes, ({ viewer, query }) => listNotes(db, 'all', viewer, query))
  serve(app, endpoints.listMyNotes, ({ viewer, query }) => listNotes(db, 'mine', viewer, query))
  serve(app, endpoints.listLikedNotes, ({ viewer, query }) => listNotes(db, 'liked', viewer, query))
}
