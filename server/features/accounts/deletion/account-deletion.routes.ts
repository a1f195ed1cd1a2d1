import * as endpoints from '../../../../packages/contract/settings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { createConfirmPassword } from '../../auth/sessions/confirm-password.ts'
import { cancelAccountDeletion, describeAccountDeletion, scheduleAccountDeletion } from './account-deletion.ts'

export function accountDeletionRoutes(app: App, deps: Deps): void {
  const { db } = deps
  const confirmPassword = createConfirmPassword(deps)

  registerEndpoint(app, endpoints.getAccountDeletion, ({ viewer }) => describeAccountDeletion(db, viewer))

  registerEndpoint(app, endpoints.requestAccountDeletion, async (request) => {
    const { viewer, sessionId, body } = request
    await confirmPassword(request, viewer, body.currentPassword)
    await scheduleAccountDeletion(deps, viewer, sessionId, body.notes)
    return describeAccountDeletion(db, viewer)
  })

  registerEndpoint(app, endpoints.cancelAccountDeletion, async ({ viewer }) => {
    await cancelAccountDeletion(db, viewer)
    return null
  })
}
