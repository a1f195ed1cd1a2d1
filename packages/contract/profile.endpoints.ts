import { defineEndpoint, lazySchemas } from './endpoint.ts'
import { profileChange } from './profile.ts'

const sessions = lazySchemas(() => import('./sessions.ts'))

export const updateRecentlyViewed = defineEndpoint({
  method: 'PATCH',
  path: '/api/users/me',
  tag: 'profile',
  summary: 'Replace my recently viewed notes',
  description: 'If-Match takes the ETag of the user, which changes with this list alone.',
  body: profileChange,
  takesLargeBody: true,
  ifMatch: true,
  responses: { 200: sessions('userResponse') },
})
