import { defineEndpoint } from './endpoint.ts'
import { sharing } from './sharing.ts'

export const getAuthorStats = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/sharing',
  tag: 'profile',
  summary: 'What came of the notes I shared',
  description: 'Counts alone, in all and by week: never who, and nothing closer than a week.',
  answers: { 200: sharing },
})
