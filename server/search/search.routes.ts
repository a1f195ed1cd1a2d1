import * as endpoints from '../../contract/search.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'
import { listNotes } from './search.ts'

export function searchRoutes(app: App, deps: Deps): void {
  serve(app, endpoints.listNotes, ({ viewer, query }) => listNotes(deps, 'all', viewer, query))
  serve(app, endpoints.listMyNotes, ({ viewer, query }) => listNotes(deps, 'mine', viewer, query))
  serve(app, endpoints.listLikedNotes, ({ viewer, query }) => listNotes(deps, 'liked', viewer, query))
}
