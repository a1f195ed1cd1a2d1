import * as endpoints from '../../../../packages/contract/settings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { cancelEmailChange } from '../../accounts/settings/cancel-email-change.ts'
import { deleteLoginChallenges } from '../two-factor/login-challenges.ts'
import { createConfirmPassword } from './confirm-password.ts'
import { endOtherSessions, endSessionOfUser, listSessions } from './sessions.ts'

export function ownSessionRoutes(app: App, deps: Deps): void {
  const { db } = deps
  const confirmPassword = createConfirmPassword(deps)

  registerEndpoint(app, endpoints.listSessions, async ({ viewer, sessionId }) => ({
    sessions: await listSessions(db, viewer.id, sessionId),
  }))

  registerEndpoint(app, endpoints.endOwnSession, async (request) => {
    await confirmPassword(request, request.viewer, request.body.currentPassword)
    await endSessionOfUser(db, request.viewer.id, request.params.id)
    return null
  })

  registerEndpoint(app, endpoints.endOtherSessions, async (request) => {
    await confirmPassword(request, request.viewer, request.body.currentPassword)
    await inTransaction(db, async (tx) => {
      await endOtherSessions(tx, request.viewer.id, request.sessionId)
      await deleteLoginChallenges(tx, request.viewer.id)
      await cancelEmailChange(tx, request.viewer.id)
    })
    return null
  })
}
