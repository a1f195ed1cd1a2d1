import * as endpoints from '../../../../packages/contract/settings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { describeExport, requestExport, sendExport } from './exports.ts'

export function exportRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, endpoints.getExport, async ({ viewer, sessionId }) => ({
    export: await describeExport(deps, viewer, sessionId),
  }))

  registerEndpoint(app, endpoints.requestExport, async ({ viewer, sessionId }) => {
    await requestExport(deps, viewer)
    return { export: await describeExport(deps, viewer, sessionId) }
  })

  registerEndpoint(app, endpoints.downloadExport, (request, reply) => sendExport(deps, request, reply))
}
