import { getAbout } from '../../../packages/contract/about.endpoints.ts'
import { listProblems } from '../../../packages/contract/attention.endpoints.ts'
import * as instance from '../../../packages/contract/instance-settings.endpoints.ts'
import * as members from '../../../packages/contract/members.endpoints.ts'
import type { Deps } from '../../dependencies.ts'
import { type App, registerEndpoint } from '../../platform/http/endpoints.ts'
import { changeMemberRole } from '../auth/roles/roles.ts'
import * as suspensions from '../moderation/suspensions/suspensions.ts'
import { changeQuota } from '../uploads/documents/upload-quota.ts'
import { createLibrarySize, keptForSeconds } from './about/library-size.ts'
import * as attention from './attention/attention.ts'
import { listAudit } from './audit/audit.ts'
import {
  getInstanceSettings,
  getRegistrationPolicy,
  updateInstanceSettings,
} from './instance-settings/instance-settings.ts'
import * as invitations from './invitations/invitations.ts'
import { listMembers } from './members/members.ts'

export function administrationRoutes(app: App, deps: Deps): void {
  instanceRoutes(app, deps)
  invitationRoutes(app, deps)
  memberRoutes(app, deps)
}

function instanceRoutes(app: App, deps: Deps): void {
  const { db, config } = deps
  const measure = createLibrarySize(db)

  registerEndpoint(app, getAbout, async (_request, reply) => {
    const size = await measure()
    // The response is the same for every caller, so any cache may store it.
    reply.header('cache-control', `public, max-age=${keptForSeconds}`)
    return { ...size, operatorName: config.operatorName, operatorText: config.operatorText }
  })

  registerEndpoint(app, instance.getRegistrationPolicy, () => getRegistrationPolicy(db))

  registerEndpoint(app, instance.getInstanceSettings, () => getInstanceSettings(deps))

  registerEndpoint(app, instance.updateInstanceSettings, async ({ viewer, body }) => {
    await updateInstanceSettings(db, viewer, body)
    return getInstanceSettings(deps)
  })

  registerEndpoint(app, listProblems, async () => {
    const problems = await attention.listProblems(db)
    return { problems: problems.map(({ since, ...problem }) => ({ ...problem, since: since.toISOString() })) }
  })
}

function invitationRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, instance.listInvitations, ({ query }) => invitations.listInvitations(deps.db, query.after))

  registerEndpoint(app, instance.createInvitation, async ({ viewer, body }) => ({
    token: await invitations.createInvitation(deps, viewer, body.email ?? null),
  }))

  registerEndpoint(app, instance.resendInvitation, ({ viewer, params }) =>
    invitations.resendInvitation(deps, viewer, params.id),
  )

  registerEndpoint(app, instance.revokeInvitation, ({ viewer, params }) =>
    invitations.revokeInvitation(deps.db, viewer, params.id),
  )
}

function memberRoutes(app: App, deps: Deps): void {
  const { db } = deps

  registerEndpoint(app, members.listMembers, ({ query }) => listMembers(db, query))

  registerEndpoint(app, members.changeRole, ({ viewer, params, body }) =>
    changeMemberRole(deps, viewer, params.id, body.role),
  )

  registerEndpoint(app, members.suspendMember, ({ viewer, params, body }) =>
    suspensions.suspendMember(deps, viewer, params.id, body),
  )

  registerEndpoint(app, members.liftSuspension, ({ viewer, params }) =>
    suspensions.liftSuspension(deps, viewer, params.id),
  )

  registerEndpoint(app, members.changeQuota, ({ viewer, params, body }) =>
    changeQuota(db, viewer, params.id, body.dailyUploadMb),
  )

  registerEndpoint(app, members.listNoteAuthorSuspensions, async ({ viewer }) => ({
    suspensions: await suspensions.listNoteAuthorSuspensions(db, viewer),
  }))

  registerEndpoint(app, members.suspendNoteAuthor, ({ viewer, params, body }) =>
    suspensions.suspendNoteAuthor(deps, viewer, params.id, body),
  )

  registerEndpoint(app, members.liftNoteAuthorSuspension, ({ viewer, params }) =>
    suspensions.liftNoteAuthorSuspension(deps, viewer, params.id),
  )

  registerEndpoint(app, members.listAudit, ({ viewer, query }) => listAudit(db, viewer, query.before))
}
