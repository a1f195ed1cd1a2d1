import { profileChange, userAnswer } from '../../contract/sessions.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { roomyBodyBytes } from '../http/body-limits.ts'
import { refusals } from '../http/schemas.ts'
import { getUser, saveRecentlyViewed } from './profile.ts'

export function profileRoutes(app: App, { db, requireUser }: Deps): void {
  app.get(
    '/api/users/me',
    {
      onRequest: requireUser,
      schema: {
        tags: ['profile'],
        summary: 'Who am I',
        response: { 200: userAnswer, ...refusals('unauthorized') },
      },
    },
    async (request) => ({ user: await getUser(db, request.userId) }),
  )

  app.patch(
    '/api/users/me',
    {
      onRequest: requireUser,
      bodyLimit: roomyBodyBytes,
      schema: {
        tags: ['profile'],
        summary: 'Replace my recently viewed notes',
        body: profileChange,
        response: { 200: userAnswer, ...refusals('invalid_input', 'unauthorized') },
      },
    },
    async (request) => ({ user: await saveRecentlyViewed(db, request.userId, request.body.recentlyViewedNotes) }),
  )
}
