import { endpointsOf, lazySchemas } from './endpoint.ts'

const define = endpointsOf('settings')

const accounts = lazySchemas(() => import('./accounts.ts'))
const settings = lazySchemas(() => import('./settings.ts'))

export const changeName = define('PATCH', '/api/users/me/name', {
  summary: 'Change my name',
  description: 'Removes words of the new name from the titles of my anonymous notes.',
  body: settings('nameChange'),
  responses: { 200: settings('nameChange') },
})

export const changePassword = define('POST', '/api/users/me/password', {
  whileFull: true,
  summary: 'Change my password',
  description: 'Ends all other sessions of the account, and all links to choose a password.',
  allowSuspended: true,
  body: settings('passwordChange'),
  takesLargeBody: true,
  responses: { 200: accounts('message') },
  errorCodes: ['wrong_password', 'common_password', 'busy'],
})

export const getEmailChange = define('GET', '/api/users/me/email', {
  summary: 'Get my pending email change',
  description: 'Also tells whether my mail server rejects mails.',
  responses: { 200: settings('emailState') },
})

export const resumeMails = define('POST', '/api/users/me/email/again', {
  summary: 'Resume mails to my address',
  description: 'For an address whose mail server rejected a mail. Idempotent.',
  responses: { 204: { empty: true, description: 'The next mail will be sent' } },
})

export const changeEmail = define('POST', '/api/users/me/email', {
  summary: 'Request a change of my email address',
  description:
    'Sends a link to the new address, or, if it has an account, a mail to its owner. The response is the same.',
  body: settings('emailChange'),
  takesLargeBody: true,
  responses: { 200: accounts('message') },
  errorCodes: ['wrong_password', 'busy'],
})

export const cancelEmailChange = define('DELETE', '/api/users/me/email', {
  summary: 'Cancel my pending email change',
  responses: { 204: { empty: true, description: 'The mailed link is not valid' } },
})

export const confirmEmail = define('POST', '/api/users/confirm-email', {
  whileFull: true,
  summary: 'Confirm a new email address with the token of a mailed link',
  description: 'Notifies the old address. Idempotent.',
  public: true,
  body: accounts('linkToken'),
  responses: { 200: accounts('message') },
  errorCodes: ['email_link_invalid'],
})

export const secureAccount = define('POST', '/api/users/not-me', {
  whileFull: true,
  summary: 'Report a change or a login that I did not make',
  description:
    'Takes the token of a mailed link. Ends all sessions of the account, deletes its password and returns a token to choose a new one.',
  public: true,
  body: accounts('linkToken'),
  responses: { 200: settings('secureAccountResponse') },
  errorCodes: ['alert_link_invalid'],
})

export const listSessions = define('GET', '/api/users/me/sessions', {
  summary: 'List my sessions',
  description: 'This session first, then the one used last.',
  allowSuspended: true,
  responses: { 200: settings('ownSessions') },
})

export const endOwnSession = define('POST', '/api/users/me/sessions/:id/end', {
  whileFull: true,
  summary: 'End one of my sessions',
  description: 'Idempotent.',
  allowSuspended: true,
  params: settings('sessionParams'),
  body: accounts('passwordConfirmation'),
  responses: { 204: { empty: true, description: 'The session is ended' } },
  errorCodes: ['wrong_password', 'busy'],
})

export const endOtherSessions = define('POST', '/api/users/me/sessions/end-others', {
  whileFull: true,
  summary: 'End all my other sessions',
  allowSuspended: true,
  body: accounts('passwordConfirmation'),
  responses: { 204: { empty: true, description: 'Only this session is left' } },
  errorCodes: ['wrong_password', 'busy'],
})

export const getAccountDeletion = define('GET', '/api/users/me/leaving', {
  summary: 'Get the scheduled deletion of my account',
  allowSuspended: true,
  responses: { 200: settings('accountDeletionResponse') },
})

export const requestAccountDeletion = define('POST', '/api/users/me/leaving', {
  whileFull: true,
  summary: 'Schedule the deletion of my account',
  description: 'In seven days. Ends all other sessions. The notes are deleted, or stay as anonymous notes.',
  allowSuspended: true,
  body: settings('accountDeletionInput'),
  responses: { 200: settings('accountDeletionResponse') },
  errorCodes: ['wrong_password', 'busy', 'leaving_begun'],
})

export const cancelAccountDeletion = define('DELETE', '/api/users/me/leaving', {
  summary: 'Cancel the deletion of my account',
  description: 'Idempotent.',
  allowSuspended: true,
  responses: { 204: { empty: true, description: 'The account stays' } },
  errorCodes: ['leaving_begun'],
})

export const getExport = define('GET', '/api/users/me/export', {
  summary: 'Get the status of my data export',
  allowSuspended: true,
  responses: { 200: settings('exportResponse') },
})

export const requestExport = define('POST', '/api/users/me/export', {
  summary: 'Request a data export',
  description: 'A job puts my notes and all my data into one file and sends a mail. An earlier export is deleted.',
  allowSuspended: true,
  responses: { 200: settings('exportResponse') },
})

export const downloadExport = define('GET', '/api/users/me/export/file', {
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
