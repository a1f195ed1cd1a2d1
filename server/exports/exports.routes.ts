import * as endpoints from '../../contract/settings.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'
import { describeExport, requestExport, sendExport } from './exports.ts'

export function exportRoutes(app: App, deps: Deps): void {
  const { db } = deps

  serve(app, endpoints.getExport, async ({ viewer }) => ({ export: await describeExport(db, viewer) }))

  serve(app, endpoints.requestExport, async ({ viewer }) => {
    await requestExport(deps, viewer)
    return { export: await describeExport(db, viewer) }
  })

  serve(app, endpoints.downloadExport, ({ viewer }, reply) => sendExport(deps, viewer, reply))
}
