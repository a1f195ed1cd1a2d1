import { endpointsOf, lazySchemas } from './endpoint.ts'
import { profileChange } from './profile.ts'

const define = endpointsOf('profile')

const sessions = lazySchemas(() => import('./sessions.ts'))

export const updateRecentlyViewed = define('PATCH', '/api/users/me', {
  summary: 'Replace my recently viewed notes',
  description: 'If-Match takes the ETag of the user, which changes with this list alone.',
  body: profileChange,
  takesLargeBody: true,
  ifMatch: true,
  responses: { 200: sessions('userResponse') },
})
