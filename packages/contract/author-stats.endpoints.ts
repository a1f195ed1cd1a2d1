import { authorStats } from './author-stats.ts'
import { endpointsOf } from './endpoint.ts'

const define = endpointsOf('profile')

export const getAuthorStats = define('GET', '/api/users/me/sharing', {
  summary: 'Get statistics of my notes',
  description: 'Counts only, in total and by week: never who, and nothing more precise than a week.',
  responses: { 200: authorStats },
})
