import { getPerson, listPersonNotes } from '../../../../packages/contract/people.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { serve } from '../../../platform/http/endpoints.ts'
import { findPerson, listNotesOf } from './people.ts'

export function peopleRoutes(app: App, deps: Deps): void {
  serve(app, getPerson, ({ viewer, params }) => deps.readAnyway((db) => findPerson(db, viewer, params.id)))
  serve(app, listPersonNotes, ({ viewer, params, query }) => listNotesOf(deps, viewer, params.id, query))
}
