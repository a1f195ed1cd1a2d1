import { endpointsOf, lazySchemas } from './endpoint.ts'

const define = endpointsOf('two-factor')
const defineLogin = endpointsOf('sessions')

const accounts = lazySchemas(() => import('./accounts.ts'))
const twoFactor = lazySchemas(() => import('./two-factor.ts'))
const sessions = lazySchemas(() => import('./sessions.ts'))

export const logInWithCode = defineLogin('POST', '/api/users/login/code', {
  whileFull: true,
  summary: 'Log in, second step: the code',
  description:
    'After a login that was answered `code_needed`, with the cookie of that response, for ten minutes and five codes. Takes a code of the app or a recovery code. Each works once.',
  public: true,
  body: twoFactor('codeForm'),
  responses: { 200: sessions('loginResponse') },
  errorCodes: ['wrong_code', 'login_step_over', 'rate_limited', 'busy'],
})

export const getTwoFactor = define('GET', '/api/users/me/two-factor', {
  summary: 'Get my two-factor settings',
  responses: { 200: twoFactor('twoFactor') },
})

export const setUpTwoFactor = define('POST', '/api/users/me/two-factor/setup', {
  summary: 'Set up two-factor authentication',
  description:
    'Returns a secret for the app. Two-factor authentication is off until a code of the app is confirmed, within an hour and in this session.',
  body: accounts('passwordConfirmation'),
  responses: { 200: twoFactor('twoFactorSetup') },
  errorCodes: ['wrong_password', 'busy', 'two_factor_on'],
})

export const enableTwoFactor = define('POST', '/api/users/me/two-factor/on', {
  summary: 'Turn on two-factor authentication with the first code of the app',
  description: 'Returns ten recovery codes, which are not shown again. The account’s owner is notified by mail.',
  body: twoFactor('codeForm'),
  responses: { 200: twoFactor('recoveryCodes') },
  errorCodes: ['wrong_code', 'setup_over', 'two_factor_on', 'busy'],
})

export const regenerateRecoveryCodes = define('POST', '/api/users/me/two-factor/recovery-codes', {
  summary: 'Generate ten new recovery codes',
  description: 'The earlier codes are not valid any more. The account’s owner is notified by mail.',
  body: accounts('passwordConfirmation'),
  responses: { 200: twoFactor('recoveryCodes') },
  errorCodes: ['wrong_password', 'busy', 'two_factor_off'],
})

export const disableTwoFactor = define('POST', '/api/users/me/two-factor/off', {
  whileFull: true,
  summary: 'Turn off two-factor authentication',
  description: 'Idempotent. The account’s owner is notified by mail.',
  body: accounts('passwordConfirmation'),
  responses: { 204: { empty: true, description: 'A login needs only the password' } },
  errorCodes: ['wrong_password', 'busy'],
})
