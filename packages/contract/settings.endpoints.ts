import { defineEndpoint, lazySchemas } from './endpoint.ts'
import { passwordConfirmationErrors } from './errors.ts'

const accounts = lazySchemas(() => import('./accounts.ts'))
const settings = lazySchemas(() => import('./settings.ts'))

export const changeName = defineEndpoint({
  method: 'PATCH',
  path: '/api/users/me/name',
  tag: 'settings',
  summary: 'Change my name',
  description: 'Removes words of the new name from the titles of my anonymous notes.',
  body: settings('nameChange'),
  answers: { 200: settings('nameChange') },
  refusals: ['invalid_input'],
})

export const changePassword = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/password',
  whileFull: true,
  tag: 'settings',
  summary: 'Change my password',
  description: 'Ends all other sessions of the account, and all links to choose a password.',
  whileSuspended: true,
  body: settings('passwordChange'),
  answers: { 200: accounts('message') },
  refusals: ['invalid_input', 'wrong_password', 'common_password', 'busy'],
})

export const getEmailChange = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/email',
  tag: 'settings',
  summary: 'Get my pending email change',
  description: 'Also tells whether my mail server rejects mails.',
  answers: { 200: settings('emailState') },
})

export const resumeMails = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/email/again',
  tag: 'settings',
  summary: 'Resume mails to my address',
  description: 'For an address whose mail server rejected a mail. Idempotent.',
  answers: { 204: { empty: true, meaning: 'The next mail will be sent' } },
})

export const changeEmail = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/email',
  tag: 'settings',
  summary: 'Request a change of my email address',
  description:
    'Sends a link to the new address, or, if it has an account, a mail to its owner. The response is the same.',
  body: settings('emailChange'),
  answers: { 200: accounts('message') },
  refusals: ['invalid_input', 'wrong_password', 'busy'],
})

export const cancelEmailChange = defineEndpoint({
  method: 'DELETE',
  path: '/api/users/me/email',
  tag: 'settings',
  summary: 'Cancel my pending email change',
  answers: { 204: { empty: true, meaning: 'The mailed link is not valid' } },
})

export const confirmEmail = defineEndpoint({
  method: 'POST',
  path: '/api/users/confirm-email',
  whileFull: true,
  tag: 'settings',
  summary: 'Confirm a new email address with the token of a mailed link',
  description: 'Notifies the old address. Idempotent.',
  public: true,
  body: settings('emailConfirmation'),
  answers: { 200: accounts('message') },
  refusals: ['email_link_invalid'],
})

export const secureAccount = defineEndpoint({
  method: 'POST',
  path: '/api/users/not-me',
  whileFull: true,
  tag: 'settings',
  summary: 'Report a change or a login that I did not make',
  description:
    'Takes the token of a mailed link. Ends all sessions of the account, deletes its password and returns a token to choose a new one.',
  public: true,
  body: settings('secureAccountInput'),
  answers: { 200: settings('secureAccountResponse') },
  refusals: ['alert_link_invalid'],
})

export const listSessions = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/sessions',
  tag: 'settings',
  summary: 'List my sessions',
  description: 'This session first, then the one used last.',
  whileSuspended: true,
  answers: { 200: settings('ownSessions') },
})

export const endOwnSession = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/sessions/:id/end',
  whileFull: true,
  tag: 'settings',
  summary: 'End one of my sessions',
  description: 'Idempotent.',
  whileSuspended: true,
  params: settings('sessionParams'),
  body: settings('passwordConfirmation'),
  answers: { 204: { empty: true, meaning: 'The session is ended' } },
  refusals: passwordConfirmationErrors,
})

export const endOtherSessions = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/sessions/end-others',
  whileFull: true,
  tag: 'settings',
  summary: 'End all my other sessions',
  whileSuspended: true,
  body: settings('passwordConfirmation'),
  answers: { 204: { empty: true, meaning: 'Only this session is left' } },
  refusals: passwordConfirmationErrors,
})

export const getAccountDeletion = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/leaving',
  tag: 'settings',
  summary: 'Get the scheduled deletion of my account',
  whileSuspended: true,
  answers: { 200: settings('accountDeletionResponse') },
})

export const requestAccountDeletion = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/leaving',
  whileFull: true,
  tag: 'settings',
  summary: 'Schedule the deletion of my account',
  description: 'In seven days. Ends all other sessions. The notes are deleted, or stay as anonymous notes.',
  whileSuspended: true,
  body: settings('accountDeletionInput'),
  answers: { 200: settings('accountDeletionResponse') },
  refusals: [...passwordConfirmationErrors, 'leaving_begun'],
})

export const cancelAccountDeletion = defineEndpoint({
  method: 'DELETE',
  path: '/api/users/me/leaving',
  tag: 'settings',
  summary: 'Cancel the deletion of my account',
  description: 'Idempotent.',
  whileSuspended: true,
  answers: { 204: { empty: true, meaning: 'The account stays' } },
  refusals: ['leaving_begun'],
})

export const getExport = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/export',
  tag: 'settings',
  summary: 'Get the status of my data export',
  whileSuspended: true,
  answers: { 200: settings('exportResponse') },
})

export const requestExport = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/export',
  tag: 'settings',
  summary: 'Request a data export',
  description: 'A job puts my notes and all my data into one file and sends a mail. An earlier export is deleted.',
  whileSuspended: true,
  answers: { 200: settings('exportResponse') },
})

export const downloadExport = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/export/file',
  tag: 'settings',
  summary: 'Download my data export',
  description: 'The `link` of the export can take the place of the access token.',
  whileSuspended: true,
  query: settings('exportQuery'),
  answers: {
    200: { file: 'application/zip', meaning: 'The files of my notes and a JSON file' },
    206: { file: 'application/zip', meaning: 'The requested range' },
    302: {
      empty: true,
      meaning: 'The file is at this address for five minutes, if the operator lets the storage send files',
    },
  },
  refusals: ['export_not_found'],
})
