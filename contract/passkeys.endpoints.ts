import { defineEndpoint, lazily } from './endpoint.ts'
import { passwordConfirmationErrors } from './errors.ts'

const passkeys = lazily(() => import('./passkeys.ts'))
const sessions = lazily(() => import('./sessions.ts'))

export const listPasskeys = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/passkeys',
  tag: 'passkeys',
  summary: 'My passkeys',
  description: 'The oldest first.',
  answers: { 200: passkeys('ownPasskeys') },
})

export const createPasskeyRegistrationOptions = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/passkeys/options',
  tag: 'passkeys',
  summary: 'Begin to add a passkey',
  description:
    'Answers what `navigator.credentials.create` is called with. The challenge works once, within five minutes and in this session alone.',
  body: passkeys('passkeyConfirmation'),
  answers: { 200: passkeys('creationOptions') },
  refusals: [...passwordConfirmationErrors, 'too_many_passkeys'],
})

export const addPasskey = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/passkeys',
  tag: 'passkeys',
  summary: 'Add a passkey',
  description: 'With what the browser made of the options. The account’s owner is told by mail.',
  body: passkeys('newPasskey'),
  answers: { 201: passkeys('passkey') },
  refusals: ['invalid_input', 'passkey_not_added', 'too_many_passkeys'],
})

export const renamePasskey = defineEndpoint({
  method: 'PATCH',
  path: '/api/users/me/passkeys/:id',
  tag: 'passkeys',
  summary: 'Rename one of my passkeys',
  params: passkeys('passkeyParams'),
  body: passkeys('passkeyRename'),
  answers: { 200: passkeys('passkey') },
  refusals: ['invalid_input', 'passkey_not_found'],
})

export const removePasskey = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/passkeys/:id/remove',
  tag: 'passkeys',
  summary: 'Remove one of my passkeys',
  description: 'Doing so again is no error. The account’s owner is told by mail.',
  params: passkeys('passkeyParams'),
  body: passkeys('passkeyConfirmation'),
  answers: { 204: { empty: true, meaning: 'Nobody logs in with it any more' } },
  refusals: passwordConfirmationErrors,
})

export const createPasskeyLoginOptions = defineEndpoint({
  method: 'POST',
  path: '/api/users/login/passkey/options',
  tag: 'sessions',
  summary: 'Begin to log in with a passkey',
  description:
    'Answers what `navigator.credentials.get` is called with, the same for everybody. The challenge works once, within five minutes.',
  public: true,
  answers: { 200: passkeys('requestOptions') },
  refusals: ['rate_limited'],
})

export const logInWithPasskey = defineEndpoint({
  method: 'POST',
  path: '/api/users/login/passkey',
  tag: 'sessions',
  summary: 'Log in with a passkey',
  description:
    'With what the browser made of the options. A passkey counts as both factors: no code is asked for. Cookies are set as by the login with a password.',
  public: true,
  body: passkeys('passkeyLogin'),
  answers: { 200: sessions('loginAnswer') },
  refusals: ['invalid_input', 'passkey_refused'],
})
