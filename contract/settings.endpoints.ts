import { defineEndpoint, lazily } from './endpoint.ts'
import { passwordConfirmationErrors } from './errors.ts'

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
  refusals: ['invalid_input'],
})

export const changePassword = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/password',
  tag: 'settings',
  summary: 'Change my password',
  description: 'Ends every other session of the account, and every link to choose a password.',
  whileSuspended: true,
  body: settings('passwordChange'),
  answers: { 200: accounts('message') },
  refusals: ['invalid_input', 'wrong_password', 'common_password', 'busy'],
})

export const getEmailChange = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/email',
  tag: 'settings',
  summary: 'The e-mail I asked for, until it is confirmed, and whether mails to me come back',
  answers: { 200: settings('emailState') },
})

export const resumeMails = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/email/again',
  tag: 'settings',
  summary: 'Have mails sent again to my e-mail, which came back',
  description: 'Doing so again is no error.',
  answers: { 204: { empty: true, meaning: 'The next mail is tried' } },
})

export const changeEmail = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/email',
  tag: 'settings',
  summary: 'Ask for another e-mail',
  description:
    'Mails a link to the new address, or, where that has an account, a note to its owner; the answer is the same.',
  body: settings('emailChange'),
  answers: { 200: accounts('message') },
  refusals: ['invalid_input', 'wrong_password', 'busy'],
})

export const cancelEmailChange = defineEndpoint({
  method: 'DELETE',
  path: '/api/users/me/email',
  tag: 'settings',
  summary: 'Keep the e-mail I have',
  answers: { 204: { empty: true, meaning: 'The mailed link is worth nothing' } },
})

export const confirmEmail = defineEndpoint({
  method: 'POST',
  path: '/api/users/confirm-email',
  tag: 'settings',
  summary: 'Confirm a new e-mail with the token of a mailed link',
  description: 'Tells the old address. Doing so again is no error.',
  public: true,
  body: settings('emailConfirmation'),
  answers: { 200: accounts('message') },
  refusals: ['email_link_invalid'],
})

export const secureAccount = defineEndpoint({
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

export const listSessions = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/sessions',
  tag: 'settings',
  summary: 'Where I am signed in',
  description: 'This session first, then the one used last.',
  whileSuspended: true,
  answers: { 200: settings('ownSessions') },
})

export const endOwnSession = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/sessions/:id/end',
  tag: 'settings',
  summary: 'End one of my sessions',
  description: 'Doing so again is no error.',
  whileSuspended: true,
  params: settings('sessionParams'),
  body: settings('passwordConfirmation'),
  answers: { 204: { empty: true, meaning: 'It is ended' } },
  refusals: passwordConfirmationErrors,
})

export const endOtherSessions = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/sessions/end-others',
  tag: 'settings',
  summary: 'End all my other sessions',
  whileSuspended: true,
  body: settings('passwordConfirmation'),
  answers: { 204: { empty: true, meaning: 'This one is the only one' } },
  refusals: passwordConfirmationErrors,
})

export const getAccountDeletion = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/leaving',
  tag: 'settings',
  summary: 'When my account will be deleted, if I asked for it',
  whileSuspended: true,
  answers: { 200: settings('leavingAnswer') },
})

export const requestAccountDeletion = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/leaving',
  tag: 'settings',
  summary: 'Have my account deleted in seven days',
  description: 'Ends every other session. The notes go, or stay as anonymous ones.',
  whileSuspended: true,
  body: settings('leavingWish'),
  answers: { 200: settings('leavingAnswer') },
  refusals: [...passwordConfirmationErrors, 'leaving_begun'],
})

export const cancelAccountDeletion = defineEndpoint({
  method: 'DELETE',
  path: '/api/users/me/leaving',
  tag: 'settings',
  summary: 'Keep my account after all',
  description: 'Doing so again is no error.',
  whileSuspended: true,
  answers: { 204: { empty: true, meaning: 'It stays' } },
  refusals: ['leaving_begun'],
})

export const getExport = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/export',
  tag: 'settings',
  summary: 'What I take along, if I asked for it',
  whileSuspended: true,
  answers: { 200: settings('exportAnswer') },
})

export const requestExport = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/export',
  tag: 'settings',
  summary: 'Have my notes and all that is known of me put into one file',
  description: 'It is made by a job and announced by mail. An earlier one goes.',
  whileSuspended: true,
  answers: { 200: settings('exportAnswer') },
})

export const downloadExport = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/export/file',
  tag: 'settings',
  summary: 'The file I take along',
  whileSuspended: true,
  answers: {
    200: { file: 'application/zip', meaning: 'The notes’ files and a JSON' },
    302: {
      empty: true,
      meaning: 'It is at this address for five minutes, where the operator lets the store send files',
    },
  },
  refusals: ['export_not_found'],
})
