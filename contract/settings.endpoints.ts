import { defineEndpoint, lazily } from './endpoint.ts'

const accounts = lazily(() => import('./accounts.ts'))
const settings = lazily(() => import('./settings.ts'))

export const changeName = defineEndpoint({
  method: 'PATCH',
  path: '/api/users/me/name',
  tag: 'settings',
  summary: 'Change my name',
  description: 'Words of the new name are taken out of the titles of my anonymous notes.',
  body: settings('nameChange'),
  answers: { 200: settings('nameChange') },
  refusals: ['invalid_input', 'unauthorized'],
})

export const changePassword = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/password',
  tag: 'settings',
  summary: 'Change my password',
  description: 'Ends every other session of the account, and every link to choose a password.',
  body: settings('passwordChange'),
  answers: { 200: accounts('message') },
  refusals: ['invalid_input', 'unauthorized', 'wrong_password', 'common_password', 'rate_limited', 'busy'],
})

export const disownChange = defineEndpoint({
  method: 'POST',
  path: '/api/users/not-me',
  tag: 'settings',
  summary: 'Say that a change or a login was not mine, with the token of a mailed link',
  description: 'Ends every session of the account, voids its password and lets a new one be chosen.',
  public: true,
  body: settings('disowning'),
  answers: { 200: settings('disowned') },
  refusals: ['alert_link_invalid'],
})
