import type { FastifyReply } from 'fastify'
import { updateRecentlyViewed } from '../../../../packages/contract/profile.endpoints.ts'
import type { User } from '../../../../packages/contract/profile.ts'
import { getMe } from '../../../../packages/contract/sessions.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { largeBodyLimitBytes, registerEndpoint } from '../../../platform/http/endpoints.ts'
import { withEtag } from '../../../platform/http/versions.ts'
import { getProfileForSession, saveRecentlyViewed } from './profile.ts'

export function profileRoutes(app: App, { db }: Deps): void {
  const tagged = (reply: FastifyReply, user: User) => withEtag(reply, { user }, user.version)

  registerEndpoint(app, getMe, async ({ viewer, isLimited }, reply) =>
    tagged(reply, await getProfileForSession(db, viewer, isLimited)),
  )

  registerEndpoint(
    app,
    updateRecentlyViewed,
    async ({ viewer, body, headers }, reply) =>
      tagged(reply, await saveRecentlyViewed(db, viewer, body.recentlyViewedNotes, headers['if-match'])),
    { bodyLimit: largeBodyLimitBytes },
  )
}
