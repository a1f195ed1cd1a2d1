import { reportNote as endpoint } from '../../contract/reports.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'
import { reportNote } from './reports.ts'

export function reportRoutes(app: App, deps: Deps): void {
  serve(app, endpoint, async ({ viewer, params, body }) => {
    await reportNote(deps, viewer, params.id, body)
    return null
  })
}
