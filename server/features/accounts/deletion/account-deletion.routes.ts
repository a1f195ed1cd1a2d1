import * as endpoints from '../../../../packages/contract/settings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { serve } from '../../../platform/http/endpoints.ts'
import { createConfirmPassword } from '../../auth/sessions/confirm-password.ts'
import { askToLeave, describeLeaving, stay } from './account-deletion.ts'

export function leavingRoutes(app: App, deps: Deps): void {
  const { db } = deps
  const confirmPassword = createConfirmPassword(deps)

  serve(app, endpoints.getAccountDeletion, ({ viewer }) => describeLeaving(db, viewer))

  serve(app, endpoints.requestAccountDeletion, async (request) => {
    const { viewer, sessionId, body } = request
    await confirmPassword(request, viewer, body.currentPassword)
    await askToLeave(deps, viewer, sessionId, body.notes)
    return describeLeaving(db, viewer)
  })

  serve(app, endpoints.cancelAccountDeletion, async ({ viewer }) => {
    await stay(db, viewer)
    return null
  })
}
