import * as endpoints from '../../../packages/contract/notes.endpoints.ts'
import type { Deps } from '../../dependencies.ts'
import type { App } from '../../platform/http/app-type.ts'
import { registerEndpoint } from '../../platform/http/endpoints.ts'
import { settleUpload, uploadNotes } from './upload.ts'

export function uploadRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, endpoints.uploadNotes, async (request, reply) => ({
    notes: await uploadNotes(deps, request.viewer, request, reply),
  }))

  registerEndpoint(app, endpoints.settleUpload, async ({ viewer, body }) => ({
    note: await settleUpload(deps.db, viewer, body),
  }))
}
