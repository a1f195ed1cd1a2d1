import { authorStats } from './author-stats.ts'
import { defineEndpoint } from './endpoint.ts'

export const getAuthorStats = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/sharing',
  tag: 'profile',
  summary: 'Get statistics of my notes',
  description: 'Counts only, in total and by week: never who, and nothing more precise than a week.',
  responses: { 200: authorStats },
})
