import * as endpoints from '../../../../packages/contract/instance-settings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { invite, listInvitations, sendInvitationAgain, withdrawInvitation } from './invitations.ts'

export function invitationRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, endpoints.listInvitations, ({ query }) => listInvitations(deps.db, query.after))

  registerEndpoint(app, endpoints.createInvitation, async ({ viewer, body }) => ({
    token: await invite(deps, viewer, body.email ?? null),
  }))

  registerEndpoint(app, endpoints.resendInvitation, async ({ viewer, params }) => {
    await sendInvitationAgain(deps, viewer, params.id)
    return null
  })

  registerEndpoint(app, endpoints.revokeInvitation, async ({ viewer, params }) => {
    await withdrawInvitation(deps.db, viewer, params.id)
    return null
  })
}
