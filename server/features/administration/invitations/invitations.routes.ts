import * as endpoints from '../../../../packages/contract/instance-settings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { createInvitation, listInvitations, resendInvitation, revokeInvitation } from './invitations.ts'

export function invitationRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, endpoints.listInvitations, ({ query }) => listInvitations(deps.db, query.after))

  registerEndpoint(app, endpoints.createInvitation, async ({ viewer, body }) => ({
    token: await createInvitation(deps, viewer, body.email ?? null),
  }))

  registerEndpoint(app, endpoints.resendInvitation, async ({ viewer, params }) => {
    await resendInvitation(deps, viewer, params.id)
    return null
  })

  registerEndpoint(app, endpoints.revokeInvitation, async ({ viewer, params }) => {
    await revokeInvitation(deps.db, viewer, params.id)
    return null
  })
}
