import * as endpoints from '../../../packages/contract/search.endpoints.ts'
import type { Deps } from '../../dependencies.ts'
import { type App, registerEndpoint } from '../../platform/http/endpoints.ts'
import { searchNotes } from './full-text.ts'
import { countNotes, listNotes, listRelatedNotes } from './search.ts'
import { suggest } from './suggestions.ts'

export function searchRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, endpoints.searchNotes, ({ viewer, query }) => searchNotes(deps, viewer, query))
  registerEndpoint(app, endpoints.suggest, ({ viewer, query }) => suggest(deps.queryWithTimeout, viewer, query.text))
  registerEndpoint(app, endpoints.listRelatedNotes, async ({ viewer, params }) => ({
    notes: await listRelatedNotes(deps.queryWithTimeout, viewer, params.id),
  }))
  registerEndpoint(app, endpoints.countNotes, ({ viewer, query }) => countNotes(deps.queryWithTimeout, viewer, query))
  registerEndpoint(app, endpoints.listNotes, ({ viewer, query }) => listNotes(deps, 'all', viewer, query))
  registerEndpoint(app, endpoints.listMyNotes, ({ viewer, query }) => listNotes(deps, 'mine', viewer, query))
  registerEndpoint(app, endpoints.listLikedNotes, ({ viewer, query }) => listNotes(deps, 'liked', viewer, query))
}
