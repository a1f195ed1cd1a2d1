import { endpointsOf, lazySchemas } from './endpoint.ts'

const define = endpointsOf('accounts')

const accounts = lazySchemas(() => import('./accounts.ts'))

export const register = define('POST', '/api/users/', {
  summary: 'Register',
  description: 'Sends a verification link, or, if the address already has an account, an email about it.',
  public: true,
  body: accounts('registration'),
  takesLargeBody: true,
  responses: { 201: accounts('message') },
  errorCodes: [
    'common_password',
    'registration_not_open',
    'email_domain',
    'invitation_invalid',
    'rate_limited',
    'busy',
  ],
})

export const verifyEmail = define('POST', '/api/users/verify', {
  whileFull: true,
  summary: 'Verify an email address with the token of a mailed link',
  public: true,
  body: accounts('linkToken'),
  takesLargeBody: true,
  responses: { 200: accounts('message') },
  errorCodes: ['verification_link_invalid', 'verification_link_expired', 'password_needed', 'invitation_invalid'],
})

export const verifyEmailWithPassword = define('POST', '/api/users/verify/password', {
  whileFull: true,
  summary: 'Verify an email address that was registered more than once',
  description:
    'Sets the name and the password of the account. Discards what was entered in the registrations, because the token does not tell who made them.',
  public: true,
  body: accounts('verificationWithPassword'),
  takesLargeBody: true,
  responses: { 200: accounts('message') },
  errorCodes: [
    'common_password',
    'verification_link_invalid',
    'verification_link_expired',
    'invitation_invalid',
    'rate_limited',
    'busy',
  ],
})

export const resendVerification = define('POST', '/api/users/verify/resend', {
  whileFull: true,
  summary: 'Resend the verification email',
  description: 'Requires the password of the registration, so that strangers cannot have the link sent.',
  public: true,
  body: accounts('credentials'),
  takesLargeBody: true,
  responses: { 200: accounts('message') },
  errorCodes: ['rate_limited', 'busy'],
})

export const requestReset = define('POST', '/api/users/forgot-password', {
  whileFull: true,
  summary: 'Request a password reset',
  public: true,
  body: accounts('resetRequest'),
  takesLargeBody: true,
  responses: { 200: accounts('message') },
  errorCodes: ['rate_limited'],
})

export const resetPassword = define('POST', '/api/users/reset-password', {
  whileFull: true,
  summary: 'Reset the password with the token of a mailed link',
  description: 'Ends all sessions of the account.',
  public: true,
  body: accounts('passwordReset'),
  takesLargeBody: true,
  responses: { 200: accounts('message') },
  errorCodes: ['common_password', 'reset_link_invalid', 'rate_limited', 'busy'],
})
