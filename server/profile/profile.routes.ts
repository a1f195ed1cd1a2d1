import { updateRecentlyViewed } from '../../contract/profile.endpoints.ts'
import { getMe } from '../../contract/sessions.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { roomyBodyBytes, serve } from '../http/endpoints.ts'
import { getProfileIn, saveRecentlyViewed } from './profile.ts'

export function profileRoutes(app: App, { db }: Deps): void {
  serve(app, getMe, async ({ viewer, isLimited }) => ({ user: await getProfileIn(db, viewer, isLimited) }))

  serve(
    app,
    updateRecentlyViewed,
    async ({ viewer, body }) => ({ user: await saveRecentlyViewed(db, viewer, body.recentlyViewedNotes) }),
    { bodyLimit: roomyBodyBytes },
  )
}
