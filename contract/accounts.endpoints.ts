import { defineEndpoint, lazily } from './endpoint.ts'

const accounts = lazily(() => import('./accounts.ts'))

export const register = defineEndpoint({
  method: 'POST',
  path: '/api/users/',
  tag: 'accounts',
  summary: 'Register',
  description: 'Mails a verification link, or, to an address that has an account, a note that says so.',
  public: true,
  body: accounts('registration'),
  answers: { 201: accounts('message') },
  refusals: [
    'invalid_input',
    'common_password',
    'registration_not_open',
    'email_domain',
    'invitation_invalid',
    'rate_limited',
    'busy',
  ],
})

export const verifyEmail = defineEndpoint({
  method: 'POST',
  path: '/api/users/verify',
  tag: 'accounts',
  summary: 'Verify the e-mail with the token of a mailed link',
  public: true,
  body: accounts('verification'),
  answers: { 200: accounts('message') },
  refusals: ['verification_link_invalid', 'verification_link_expired', 'password_needed', 'invitation_invalid'],
})

export const verifyEmailWithPassword = defineEndpoint({
  method: 'POST',
  path: '/api/users/verify/password',
  tag: 'accounts',
  summary: 'Verify an e-mail that was registered more than once, with the name and password it shall have',
  description: 'What was typed in the registrations is void, since the token does not tell whose they are.',
  public: true,
  body: accounts('rivalVerification'),
  answers: { 200: accounts('message') },
  refusals: [
    'invalid_input',
    'common_password',
    'verification_link_invalid',
    'verification_link_expired',
    'invitation_invalid',
    'rate_limited',
    'busy',
  ],
})

export const resendVerification = defineEndpoint({
  method: 'POST',
  path: '/api/users/verify/resend',
  tag: 'accounts',
  summary: 'Have the verification link sent again',
  description: 'Needs the password, so that nobody can have the link of a stranger’s registration sent.',
  public: true,
  body: accounts('credentials'),
  answers: { 200: accounts('message') },
  refusals: ['invalid_input', 'rate_limited', 'busy'],
})

export const requestReset = defineEndpoint({
  method: 'POST',
  path: '/api/users/forgot-password',
  tag: 'accounts',
  summary: 'Have a link to choose a new password sent',
  public: true,
  body: accounts('resetRequest'),
  answers: { 200: accounts('message') },
  refusals: ['invalid_input', 'rate_limited'],
})

export const resetPassword = defineEndpoint({
  method: 'POST',
  path: '/api/users/reset-password',
  tag: 'accounts',
  summary: 'Choose a new password with the token of a mailed link',
  description: 'Ends every session of the account.',
  public: true,
  body: accounts('passwordReset'),
  answers: { 200: accounts('message') },
  refusals: ['invalid_input', 'common_password', 'reset_link_invalid', 'rate_limited', 'busy'],
})
