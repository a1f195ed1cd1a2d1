import { defineEndpoint, lazySchemas } from './endpoint.ts'

const accounts = lazySchemas(() => import('./accounts.ts'))
const settings = lazySchemas(() => import('./settings.ts'))

export const changeName = defineEndpoint({
  method: 'PATCH',
  path: '/api/users/me/name',
  tag: 'settings',
  summary: 'Change my name',
  description: 'Removes words of the new name from the titles of my anonymous notes.',
  body: settings('nameChange'),
  responses: { 200: settings('nameChange') },
})

export const changePassword = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/password',
  whileFull: true,
  tag: 'settings',
  summary: 'Change my password',
  description: 'Ends all other sessions of the account, and all links to choose a password.',
  allowSuspended: true,
  body: settings('passwordChange'),
  takesLargeBody: true,
  responses: { 200: accounts('message') },
  errorCodes: ['wrong_password', 'common_password', 'busy'],
})

export const getEmailChange = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/email',
  tag: 'settings',
  summary: 'Get my pending email change',
  description: 'Also tells whether my mail server rejects mails.',
  responses: { 200: settings('emailState') },
})

export const resumeMails = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/email/again',
  tag: 'settings',
  summary: 'Resume mails to my address',
  description: 'For an address whose mail server rejected a mail. Idempotent.',
  responses: { 204: { empty: true, description: 'The next mail will be sent' } },
})

export const changeEmail = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/email',
  tag: 'settings',
  summary: 'Request a change of my email address',
  description:
    'Sends a link to the new address, or, if it has an account, a mail to its owner. The response is the same.',
  body: settings('emailChange'),
  takesLargeBody: true,
  responses: { 200: accounts('message') },
  errorCodes: ['wrong_password', 'busy'],
})

export const cancelEmailChange = defineEndpoint({
  method: 'DELETE',
  path: '/api/users/me/email',
  tag: 'settings',
  summary: 'Cancel my pending email change',
  responses: { 204: { empty: true, description: 'The mailed link is not valid' } },
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
  responses: { 200: accounts('message') },
  errorCodes: ['email_link_invalid'],
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
  responses: { 200: settings('secureAccountResponse') },
  errorCodes: ['alert_link_invalid'],
})

export const listSessions = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/sessions',
  tag: 'settings',
  summary: 'List my sessions',
  description: 'This session first, then the one used last.',
  allowSuspended: true,
  responses: { 200: settings('ownSessions') },
})

export const endOwnSession = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/sessions/:id/end',
  whileFull: true,
  tag: 'settings',
  summary: 'End one of my sessions',
  description: 'Idempotent.',
  allowSuspended: true,
  params: settings('sessionParams'),
  body: settings('passwordConfirmation'),
  responses: { 204: { empty: true, description: 'The session is ended' } },
  errorCodes: ['wrong_password', 'busy'],
})

export const endOtherSessions = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/sessions/end-others',
  whileFull: true,
  tag: 'settings',
  summary: 'End all my other sessions',
  allowSuspended: true,
  body: settings('passwordConfirmation'),
  responses: { 204: { empty: true, description: 'Only this session is left' } },
  errorCodes: ['wrong_password', 'busy'],
})

export const getAccountDeletion = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/leaving',
  tag: 'settings',
  summary: 'Get the scheduled deletion of my account',
  allowSuspended: true,
  responses: { 200: settings('accountDeletionResponse') },
})

export const requestAccountDeletion = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/leaving',
  whileFull: true,
  tag: 'settings',
  summary: 'Schedule the deletion of my account',
  description: 'In seven days. Ends all other sessions. The notes are deleted, or stay as anonymous notes.',
  allowSuspended: true,
  body: settings('accountDeletionInput'),
  responses: { 200: settings('accountDeletionResponse') },
  errorCodes: ['wrong_password', 'busy', 'leaving_begun'],
})

export const cancelAccountDeletion = defineEndpoint({
  method: 'DELETE',
  path: '/api/users/me/leaving',
  tag: 'settings',
  summary: 'Cancel the deletion of my account',
  description: 'Idempotent.',
  allowSuspended: true,
  responses: { 204: { empty: true, description: 'The account stays' } },
  errorCodes: ['leaving_begun'],
})

export const getExport = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/export',
  tag: 'settings',
  summary: 'Get the status of my data export',
  allowSuspended: true,
  responses: { 200: settings('exportResponse') },
})

export const requestExport = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/export',
  tag: 'settings',
  summary: 'Request a data export',
  description: 'A job puts my notes and all my data into one file and sends a mail. An earlier export is deleted.',
  allowSuspended: true,
  responses: { 200: settings('exportResponse') },
})

export const downloadExport = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/export/file',
  tag: 'settings',
  summary: 'Download my data export',
  description: 'The `link` of the export can take the place of the access token.',
  allowSuspended: true,
  query: settings('exportQuery'),
  responses: {
    200: { file: 'application/zip', description: 'The files of my notes and a JSON file' },
    206: { file: 'application/zip', description: 'The requested range' },
    302: {
      empty: true,
      description: 'The file is at this address for five minutes, if the operator lets the storage send files',
    },
  },
  errorCodes: ['export_not_found'],
})
