import * as endpoints from '../../../packages/contract/moderation.endpoints.ts'
import type { Deps } from '../../dependencies.ts'
import type { App } from '../../platform/http/app-type.ts'
import { registerEndpoint } from '../../platform/http/endpoints.ts'
import * as moderation from './moderation.ts'

export function moderationRoutes(app: App, deps: Deps): void {
  const { db } = deps

  registerEndpoint(app, endpoints.getModerationQueue, ({ viewer }) => moderation.getQueue(db, viewer))

  registerEndpoint(app, endpoints.countPendingCases, async ({ viewer }) => ({
    count: await moderation.countPendingCases(db, viewer),
  }))

  registerEndpoint(app, endpoints.getModerationCase, ({ viewer, params }) =>
    moderation.getModerationCase(db, viewer, params.id),
  )

  registerEndpoint(app, endpoints.listHiddenNotes, ({ viewer, query }) =>
    moderation.listHidden(db, viewer, query.after),
  )

  registerEndpoint(app, endpoints.decideOnNote, async ({ viewer, params, body, headers }) => {
    await moderation.decideOnNote(deps, viewer, params.id, body, headers['if-match'])
    return null
  })

  registerEndpoint(app, endpoints.askAuthor, async ({ viewer, params, body }) => {
    await moderation.askAuthor(deps, viewer, params.id, body.text)
    return null
  })

  registerEndpoint(app, endpoints.listOwnModerationCases, async ({ viewer }) => ({
    matters: await moderation.listOwnModerationCases(db, viewer),
  }))

  registerEndpoint(app, endpoints.answerModeratorQuestion, async ({ viewer, params, body }) => {
    await moderation.answerModeratorQuestion(db, viewer, params.id, body)
    return null
  })

  registerEndpoint(app, endpoints.submitObjection, async ({ viewer, params, body }) => {
    await moderation.submitObjection(db, viewer, params.id, body.text)
    return null
  })

  registerEndpoint(app, endpoints.listDecisions, ({ query }) => moderation.listDecisions(db, query.before))
}
