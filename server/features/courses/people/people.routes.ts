import { getPerson, listPersonNotes } from '../../../../packages/contract/people.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import { type App, registerEndpoint } from '../../../platform/http/endpoints.ts'
import { getPersonProfile, listNotesOf } from './people.ts'

export function peopleRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, getPerson, ({ viewer, params }) =>
    deps.readAnyway((db) => getPersonProfile(db, viewer, params.id)),
  )
  registerEndpoint(app, listPersonNotes, ({ viewer, params, query }) => listNotesOf(deps, viewer, params.id, query))
}
