import { defineEndpoint, lazily } from './endpoint.ts'

const profile = lazily(() => import('./profile.ts'))

export const getMe = defineEndpoint({
  method: 'GET',
  path: '/api/users/me',
  tag: 'profile',
  summary: 'Who am I',
  answers: { 200: profile('userAnswer') },
  refusals: ['unauthorized'],
})

export const changeMe = defineEndpoint({
  method: 'PATCH',
  path: '/api/users/me',
  tag: 'profile',
  summary: 'Replace my recently viewed notes',
  body: profile('profileChange'),
  answers: { 200: profile('userAnswer') },
  refusals: ['invalid_input', 'unauthorized'],
})
