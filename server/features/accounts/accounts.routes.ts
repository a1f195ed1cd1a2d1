import * as endpoints from '../../../packages/contract/accounts.endpoints.ts'
import { accountMessages } from '../../../packages/contract/accounts.ts'
import type { Deps } from '../../dependencies.ts'
import { getIpKey } from '../../platform/http/addresses.ts'
import type { App } from '../../platform/http/app-type.ts'
import { largeBodyLimitBytes, registerEndpoint } from '../../platform/http/endpoints.ts'
import { createDeviceCookie } from '../auth/sessions/device-cookie.ts'
import {
  register,
  requestReset,
  resendVerification,
  resetPassword,
  verifyEmail,
  verifyEmailWithPassword,
} from './accounts.ts'

/**
 * Each call costs a password hash or a mail, so it is limited per network address. A whole lecture may register from
 * behind one address; calls are counted separately, so that exhausting one does not block the others.
 */
const addressLimit = (call: string) => ({ name: `${call}-address`, points: 500, seconds: 15 * 60 })
const registerLimit = addressLimit('register')
const verifyLimit = addressLimit('verify')
const forgotLimit = addressLimit('forgot')
const resetLimit = addressLimit('reset')
const resendAddressLimit = addressLimit('resend')
const resendLimit = { name: 'resend', points: 10, seconds: 15 * 60 }

const roomy = { bodyLimit: largeBodyLimitBytes }

export function accountRoutes(app: App, deps: Deps): void {
  const { rateLimits } = deps
  const devices = createDeviceCookie(deps)

  registerEndpoint(
    app,
    endpoints.register,
    async ({ ip, body }) => {
      await rateLimits.consume(registerLimit, getIpKey(ip))
      await register(deps, body)
      return { message: accountMessages.registered }
    },
    roomy,
  )

  registerEndpoint(
    app,
    endpoints.verifyEmail,
    async ({ body }) => {
      await verifyEmail(deps, body.token)
      return { message: accountMessages.emailVerified }
    },
    roomy,
  )

  registerEndpoint(
    app,
    endpoints.verifyEmailWithPassword,
    async ({ ip, body }) => {
      await rateLimits.consume(verifyLimit, getIpKey(ip))
      await verifyEmailWithPassword(deps, body)
      return { message: accountMessages.emailVerified }
    },
    roomy,
  )

  registerEndpoint(
    app,
    endpoints.resendVerification,
    async ({ ip, body }) => {
      await rateLimits.consume(resendLimit, `${body.email} ${getIpKey(ip)}`)
      await rateLimits.consume(resendAddressLimit, getIpKey(ip))
      await resendVerification(deps, body)
      return { message: accountMessages.verificationResent }
    },
    roomy,
  )

  registerEndpoint(
    app,
    endpoints.requestReset,
    async (request) => {
      const { email } = request.body
      if (!devices.findDevice(request, email)) await rateLimits.consume(forgotLimit, getIpKey(request.ip))
      await requestReset(deps, email)
      return { message: accountMessages.resetRequested }
    },
    roomy,
  )

  registerEndpoint(
    app,
    endpoints.resetPassword,
    async ({ ip, body }) => {
      await rateLimits.consume(resetLimit, getIpKey(ip))
      await resetPassword(deps, body)
      return { message: accountMessages.passwordReset }
    },
    roomy,
  )
}
