import * as endpoints from '../../../../packages/contract/members.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { changeMemberRole } from '../../auth/roles/roles.ts'
import * as suspensions from '../../moderation/suspensions/suspensions.ts'
import { changeQuota } from '../../uploads/documents/quotas.ts'
import { listAudit } from '../audit/audit.ts'
import { listMembers } from './members.ts'

export function memberRoutes(app: App, deps: Deps): void {
  const { db } = deps

  registerEndpoint(app, endpoints.listMembers, ({ query }) => listMembers(db, query))

  registerEndpoint(app, endpoints.changeRole, async ({ viewer, params, body }) => {
    await changeMemberRole(deps, viewer, params.id, body.role)
    return null
  })

  registerEndpoint(app, endpoints.suspendMember, async ({ viewer, params, body }) => {
    await suspensions.suspendMember(deps, viewer, params.id, body)
    return null
  })

  registerEndpoint(app, endpoints.liftSuspension, async ({ viewer, params }) => {
    await suspensions.liftSuspension(deps, viewer, params.id)
    return null
  })

  registerEndpoint(app, endpoints.changeQuota, async ({ viewer, params, body }) => {
    await changeQuota(db, viewer, params.id, body.dailyUploadMb)
    return null
  })

  registerEndpoint(app, endpoints.listNoteAuthorSuspensions, async ({ viewer }) => ({
    suspensions: await suspensions.listNoteAuthorSuspensions(db, viewer),
  }))

  registerEndpoint(app, endpoints.suspendNoteAuthor, async ({ viewer, params, body }) => {
    await suspensions.suspendNoteAuthor(deps, viewer, params.id, body)
    return null
  })

  registerEndpoint(app, endpoints.liftNoteAuthorSuspension, async ({ viewer, params }) => {
    await suspensions.liftNoteAuthorSuspension(deps, viewer, params.id)
    return null
  })

  registerEndpoint(app, endpoints.listAudit, ({ viewer, query }) => listAudit(db, viewer, query.before))
}
