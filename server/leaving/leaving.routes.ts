import * as endpoints from '../../contract/settings.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'
import { createConfirmPassword } from '../sessions/confirm-password.ts'
import { askToLeave, describeLeaving, stay } from './leaving.ts'

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
