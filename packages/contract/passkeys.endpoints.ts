import { endpointsOf, lazySchemas } from './endpoint.ts'

const define = endpointsOf('passkeys')
const defineLogin = endpointsOf('sessions')

const accounts = lazySchemas(() => import('./accounts.ts'))
const passkeys = lazySchemas(() => import('./passkeys.ts'))
const sessions = lazySchemas(() => import('./sessions.ts'))

export const listPasskeys = define('GET', '/api/users/me/passkeys', {
  summary: 'List my passkeys',
  description: 'Oldest first.',
  responses: { 200: passkeys('ownPasskeys') },
})

export const createPasskeyRegistrationOptions = define('POST', '/api/users/me/passkeys/options', {
  summary: 'Create the options for adding a passkey',
  description:
    'Returns the argument of `navigator.credentials.create`. The challenge works once, within five minutes and in this session.',
  body: accounts('passwordConfirmation'),
  responses: { 200: passkeys('creationOptions') },
  errorCodes: ['wrong_password', 'busy', 'too_many_passkeys'],
})

export const addPasskey = define('POST', '/api/users/me/passkeys', {
  summary: 'Add a passkey',
  description: 'Takes what the browser made of the options. The account’s owner is notified by mail.',
  body: passkeys('newPasskey'),
  responses: { 201: passkeys('passkey') },
  errorCodes: ['passkey_not_added', 'too_many_passkeys'],
})

export const renamePasskey = define('PATCH', '/api/users/me/passkeys/:id', {
  summary: 'Rename one of my passkeys',
  params: passkeys('passkeyParams'),
  body: passkeys('passkeyRename'),
  responses: { 200: passkeys('passkey') },
  errorCodes: ['passkey_not_found'],
})

export const removePasskey = define('POST', '/api/users/me/passkeys/:id/remove', {
  whileFull: true,
  summary: 'Remove one of my passkeys',
  description: 'Idempotent. The account’s owner is notified by mail.',
  params: passkeys('passkeyParams'),
  body: accounts('passwordConfirmation'),
  responses: { 204: { empty: true, description: 'The passkey is removed' } },
  errorCodes: ['wrong_password', 'busy'],
})

export const createPasskeyLoginOptions = defineLogin('POST', '/api/users/login/passkey/options', {
  whileFull: true,
  summary: 'Create the options for a login with a passkey',
  description:
    'Returns the argument of `navigator.credentials.get`, the same for all accounts. The challenge works once, within five minutes.',
  public: true,
  responses: { 200: passkeys('requestOptions') },
  errorCodes: ['rate_limited'],
})

export const logInWithPasskey = defineLogin('POST', '/api/users/login/passkey', {
  whileFull: true,
  summary: 'Log in with a passkey',
  description:
    'Takes what the browser made of the options. A passkey counts as both factors, so no code is needed. Sets the cookies of a login with a password.',
  public: true,
  body: passkeys('passkeyLogin'),
  responses: { 200: sessions('loginResponse') },
  errorCodes: ['passkey_refused'],
})
