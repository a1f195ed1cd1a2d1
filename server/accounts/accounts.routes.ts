import {
  accountMessages,
  credentials,
  message,
  passwordReset,
  registration,
  resetRequest,
  rivalVerification,
  verification,
} from '../../contract/accounts.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { roomyBodyBytes } from '../http/body-limits.ts'
import { networkOf } from '../http/network.ts'
import { refusals } from '../http/schemas.ts'
import {
  register,
  requestReset,
  resendVerification,
  resetPassword,
  verifyEmail,
  verifyRivalledEmail,
} from './accounts.ts'

/**
 * Each of these costs a password hash or a mail, so each address gets so many of them together. A whole lecture may
 * register from behind one address.
 */
const addressLimit = { name: 'accounts', points: 300, seconds: 3600 }
const resendLimit = { name: 'resend', points: 10, seconds: 15 * 60 }

export function accountRoutes(app: App, deps: Deps): void {
  const { rateLimits } = deps

  app.post(
    '/api/users/',
    {
      bodyLimit: roomyBodyBytes,
      schema: {
        tags: ['accounts'],
        summary: 'Register',
        description: 'Mails a verification link, or, to an address that has an account, a note that says so.',
        body: registration,
        response: { 201: message, ...refusals('invalid_input', 'common_password', 'rate_limited', 'busy') },
      },
    },
    async (request, reply) => {
      await rateLimits.take(addressLimit, networkOf(request.ip))
      await register(deps, request.body)
      return reply.status(201).send({ message: accountMessages.registered })
    },
  )

  app.post(
    '/api/users/verify',
    {
      bodyLimit: roomyBodyBytes,
      schema: {
        tags: ['accounts'],
        summary: 'Verify the e-mail with the token of a mailed link',
        body: verification,
        response: {
          200: message,
          ...refusals('verification_link_invalid', 'verification_link_expired', 'password_needed'),
        },
      },
    },
    async (request) => {
      await verifyEmail(deps, request.body.token)
      return { message: accountMessages.emailVerified }
    },
  )

  app.post(
    '/api/users/verify/password',
    {
      bodyLimit: roomyBodyBytes,
      schema: {
        tags: ['accounts'],
        summary: 'Verify an e-mail that was registered more than once, with the name and password it shall have',
        description: 'What was typed in the registrations is void, since the token does not tell whose they are.',
        body: rivalVerification,
        response: {
          200: message,
          ...refusals(
            'invalid_input',
            'common_password',
            'verification_link_invalid',
            'verification_link_expired',
            'rate_limited',
            'busy',
          ),
        },
      },
    },
    async (request) => {
      await rateLimits.take(addressLimit, networkOf(request.ip))
      await verifyRivalledEmail(deps, request.body)
      return { message: accountMessages.emailVerified }
    },
  )

  app.post(
    '/api/users/verify/resend',
    {
      bodyLimit: roomyBodyBytes,
      schema: {
        tags: ['accounts'],
        summary: 'Have the verification link sent again',
        description: 'Needs the password, so that nobody can have the link of a stranger’s registration sent.',
        body: credentials,
        response: { 200: message, ...refusals('invalid_input', 'rate_limited', 'busy') },
      },
    },
    async (request) => {
      await rateLimits.take(addressLimit, networkOf(request.ip))
      await rateLimits.take(resendLimit, `${request.body.email} ${networkOf(request.ip)}`)
      await resendVerification(deps, request.body)
      return { message: accountMessages.verificationResent }
    },
  )

  app.post(
    '/api/users/forgot-password',
    {
      bodyLimit: roomyBodyBytes,
      schema: {
        tags: ['accounts'],
        summary: 'Have a link to choose a new password sent',
        body: resetRequest,
        response: { 200: message, ...refusals('invalid_input', 'rate_limited') },
      },
    },
    async (request) => {
      await rateLimits.take(addressLimit, networkOf(request.ip))
      await requestReset(deps, request.body.email)
      return { message: accountMessages.resetRequested }
    },
  )

  app.post(
    '/api/users/reset-password',
    {
      bodyLimit: roomyBodyBytes,
      schema: {
        tags: ['accounts'],
        summary: 'Choose a new password with the token of a mailed link',
        description: 'Ends every session of the account.',
        body: passwordReset,
        response: {
          200: message,
          ...refusals('invalid_input', 'common_password', 'reset_link_invalid', 'rate_limited', 'busy'),
        },
      },
    },
    async (request) => {
      await rateLimits.take(addressLimit, networkOf(request.ip))
      await resetPassword(deps, request.body)
      return { message: accountMessages.passwordReset }
    },
  )
}
