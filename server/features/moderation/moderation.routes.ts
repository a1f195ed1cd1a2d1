import { submitCopyrightClaim } from '../../../packages/contract/copyright-claims.endpoints.ts'
import * as endpoints from '../../../packages/contract/moderation.endpoints.ts'
import * as reportEndpoints from '../../../packages/contract/reports.endpoints.ts'
import type { Deps } from '../../dependencies.ts'
import { getIpKey } from '../../platform/http/addresses.ts'
import { type App, registerEndpoint } from '../../platform/http/endpoints.ts'
import { countPendingCases } from './moderation.queries.ts'
import * as moderation from './moderation.ts'
import * as claims from './reports/copyright-claims.ts'
import { reportNote } from './reports/reports.ts'

/** A moderator reads each claim, and the address may belong to a person who did not send the claim. */
const claimLimit = { name: 'claim-address', points: 10, seconds: 3600 }
const claimantLimit = { name: 'claim-mailbox', points: 3, seconds: 3600 }

export function moderationRoutes(app: App, deps: Deps): void {
  const { db } = deps

  registerEndpoint(app, reportEndpoints.reportNote, ({ viewer, params, body }) =>
    reportNote(deps, viewer, params.id, body),
  )

  registerEndpoint(app, submitCopyrightClaim, async ({ ip, body }) => {
    await deps.rateLimits.consume(claimLimit, getIpKey(ip))
    await deps.rateLimits.consume(claimantLimit, body.email)
    await claims.submitCopyrightClaim(deps, body)
  })

  registerEndpoint(app, endpoints.getModerationQueue, ({ viewer }) => moderation.getQueue(db, viewer))

  registerEndpoint(app, endpoints.countPendingCases, async ({ viewer }) => ({
    count: await countPendingCases(db, viewer),
  }))

  registerEndpoint(app, endpoints.getModerationCase, ({ viewer, params }) =>
    moderation.getModerationCase(db, viewer, params.id),
  )

  registerEndpoint(app, endpoints.listHiddenNotes, ({ viewer, query }) =>
    moderation.listHidden(db, viewer, query.after),
  )

  registerEndpoint(app, endpoints.decideOnNote, ({ viewer, params, body, headers }) =>
    moderation.decideOnNote(deps, viewer, params.id, body, headers['if-match']),
  )

  registerEndpoint(app, endpoints.askAuthor, ({ viewer, params, body }) =>
    moderation.askAuthor(deps, viewer, params.id, body.text),
  )

  registerEndpoint(app, endpoints.listOwnModerationCases, async ({ viewer }) => ({
    matters: await moderation.listOwnModerationCases(db, viewer),
  }))

  registerEndpoint(app, endpoints.answerModeratorQuestion, ({ viewer, params, body }) =>
    moderation.answerModeratorQuestion(db, viewer, params.id, body),
  )

  registerEndpoint(app, endpoints.submitObjection, ({ viewer, params, body }) =>
    moderation.submitObjection(db, viewer, params.id, body.text),
  )

  registerEndpoint(app, endpoints.listDecisions, ({ query }) => moderation.listDecisions(db, query.before))
}
