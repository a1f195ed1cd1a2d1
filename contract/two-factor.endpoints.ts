import { defineEndpoint, lazily } from './endpoint.ts'
import { passwordConfirmationErrors } from './errors.ts'

const twoFactor = lazily(() => import('./two-factor.ts'))
const sessions = lazily(() => import('./sessions.ts'))

export const logInWithCode = defineEndpoint({
  method: 'POST',
  path: '/api/users/login/code',
  tag: 'sessions',
  summary: 'Log in, second step: the code',
  description:
    'After a login that was answered `code_needed`, with the cookie that answer has set: for ten minutes and five codes. Takes a code of the app, or a recovery code; each works once.',
  public: true,
  body: twoFactor('codeForm'),
  answers: { 200: sessions('loginAnswer') },
  refusals: ['invalid_input', 'wrong_code', 'login_step_over', 'rate_limited', 'busy'],
})

export const getTwoFactor = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/two-factor',
  tag: 'two-factor',
  summary: 'Whether a code is asked for after my password',
  answers: { 200: twoFactor('twoFactor') },
})

export const setUpTwoFactor = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/two-factor/setup',
  tag: 'two-factor',
  summary: 'Begin to turn two-factor login on',
  description:
    'Answers a secret for the app. Nothing is on until a code of it has come, within an hour, in this session.',
  body: twoFactor('twoFactorConfirmation'),
  answers: { 200: twoFactor('twoFactorSetup') },
  refusals: [...passwordConfirmationErrors, 'two_factor_on'],
})

export const enableTwoFactor = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/two-factor/on',
  tag: 'two-factor',
  summary: 'Turn two-factor login on, with the first code of the app',
  description: 'Answers ten recovery codes, which are not told again. The account’s owner is told by mail.',
  body: twoFactor('codeForm'),
  answers: { 200: twoFactor('recoveryCodes') },
  refusals: ['invalid_input', 'wrong_code', 'setup_over', 'two_factor_on', 'busy'],
})

export const regenerateRecoveryCodes = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/two-factor/recovery-codes',
  tag: 'two-factor',
  summary: 'Have ten new recovery codes',
  description: 'The earlier ones work no more. The account’s owner is told by mail.',
  body: twoFactor('twoFactorConfirmation'),
  answers: { 200: twoFactor('recoveryCodes') },
  refusals: [...passwordConfirmationErrors, 'two_factor_off'],
})

export const disableTwoFactor = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/two-factor/off',
  tag: 'two-factor',
  summary: 'Turn two-factor login off',
  description: 'Doing so again is no error. The account’s owner is told by mail.',
  body: twoFactor('twoFactorConfirmation'),
  answers: { 204: { empty: true, meaning: 'The password alone is asked for' } },
  refusals: passwordConfirmationErrors,
})
