import * as passkeyEndpoints from '../../../packages/contract/passkeys.endpoints.ts'
import * as sessionEndpoints from '../../../packages/contract/sessions.endpoints.ts'
import * as ownSessions from '../../../packages/contract/settings.endpoints.ts'
import * as twoFactorEndpoints from '../../../packages/contract/two-factor.endpoints.ts'
import type { Deps } from '../../dependencies.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { getIpKey } from '../../platform/http/addresses.ts'
import { fail } from '../../platform/http/api-error.ts'
import { type App, registerEndpoint } from '../../platform/http/endpoints.ts'
import { cancelEmailChange } from '../accounts/users/users.ts'
import * as passkeys from './passkeys/passkeys.ts'
import { countLogin, createConfirmPassword, lockWithConfirmedPassword } from './sessions/confirm-password.ts'
import { getDeviceLabel } from './sessions/known-devices.ts'
import { createLoginResponder } from './sessions/login-response.ts'
import { getBearerToken } from './sessions/require-user.ts'
import { deleteLoginChallenges, endOtherSessions, endSessionOfUser } from './sessions/revoke-access.ts'
import { listSessions, logIn, logOut, refreshSession } from './sessions/sessions.ts'
import { createChallengeCookie } from './two-factor/login-challenges.ts'
import {
  describeTwoFactor,
  disable,
  enable,
  logInWithCode,
  regenerateRecoveryCodes,
  startSetup,
} from './two-factor/two-factor.ts'

export function authRoutes(app: App, deps: Deps): void {
  loginRoutes(app, deps)
  sessionRoutes(app, deps)
  passkeyRoutes(app, deps)
  twoFactorRoutes(app, deps)
}

/** Each call stores a challenge for minutes; the limit allows the logins of a campus behind one address. */
const passkeyLoginLimit = { name: 'passkey-login-address', points: 1000, seconds: 15 * 60 }

/** The three ways to log in. */
function loginRoutes(app: App, deps: Deps): void {
  const { rateLimits } = deps
  const login = createLoginResponder(deps)
  const stepCookie = createChallengeCookie(deps.config)

  registerEndpoint(app, sessionEndpoints.logIn, async (request, reply) => {
    const { email } = request.body
    const device = login.findDevice(request, email)
    const counted = { email, network: getIpKey(request.ip), device: device.isKnown ? device.name : null }
    const entered = await countLogin(rateLimits, counted, () => logIn(deps, request.body, device))
    if ('stepToken' in entered) {
      stepCookie.set(reply, entered.stepToken)
      fail('code_needed')
    }
    return login.answer(reply, entered, device)
  })

  registerEndpoint(app, twoFactorEndpoints.logInWithCode, async (request, reply) => {
    const token = stepCookie.get(request) ?? fail('login_step_over')
    const findDevice = (email: string) => login.findDevice(request, email)
    const { started, device } = await logInWithCode(deps, { token, typed: request.body.code }, findDevice)
    stepCookie.clear(reply)
    return login.answer(reply, started, device)
  })

  registerEndpoint(app, passkeyEndpoints.createPasskeyLoginOptions, async ({ ip }) => {
    await rateLimits.consume(passkeyLoginLimit, getIpKey(ip))
    return passkeys.createLoginOptions(deps)
  })

  registerEndpoint(app, passkeyEndpoints.logInWithPasskey, async (request, reply) => {
    const findDevice = (email: string) => login.findDevice(request, email)
    const { started, device } = await passkeys.logInWithPasskey(deps, request.body, findDevice)
    return login.answer(reply, started, device)
  })

  registerEndpoint(app, sessionEndpoints.refreshSession, async (request, reply) => {
    const presented = login.cookie.get(request)
    if (presented === undefined && request.query.ifAny) return reply.status(204).send(null)
    const { accessToken, refreshToken } = await refreshSession(deps, presented ?? fail('session_expired'))
    login.cookie.set(reply, refreshToken)
    return { accessToken }
  })

  for (const endpoint of [sessionEndpoints.logOut, sessionEndpoints.endSession]) {
    registerEndpoint(app, endpoint, async (request, reply) => {
      await logOut(deps, { refreshToken: login.cookie.get(request), accessToken: getBearerToken(request) })
      login.cookie.clear(reply)
    })
  }
}

function sessionRoutes(app: App, deps: Deps): void {
  const { db } = deps
  const confirmPassword = createConfirmPassword(deps)

  registerEndpoint(app, ownSessions.listSessions, async ({ viewer, sessionId }) => ({
    sessions: await listSessions(db, viewer.id, sessionId),
  }))

  registerEndpoint(app, ownSessions.endOwnSession, async (request) => {
    await confirmPassword(request)
    await endSessionOfUser(db, request.viewer.id, request.params.id)
  })

  registerEndpoint(app, ownSessions.endOtherSessions, async (request) => {
    const { confirmedHash } = await confirmPassword(request)
    await inTransaction(db, async (tx) => {
      await lockWithConfirmedPassword(tx, request.viewer.id, confirmedHash)
      await endOtherSessions(tx, request.viewer.id, request.sessionId)
      await deleteLoginChallenges(tx, request.viewer.id)
      await cancelEmailChange(tx, request.viewer.id)
    })
  })
}

function passkeyRoutes(app: App, deps: Deps): void {
  const confirmPassword = createConfirmPassword(deps)

  registerEndpoint(app, passkeyEndpoints.listPasskeys, async ({ viewer }) => ({
    passkeys: await passkeys.listPasskeys(deps.db, viewer),
  }))

  registerEndpoint(app, passkeyEndpoints.createPasskeyRegistrationOptions, async (request) =>
    passkeys.createRegistrationOptions(deps, await confirmPassword(request)),
  )

  registerEndpoint(app, passkeyEndpoints.addPasskey, (request) => {
    const { viewer, sessionId, body } = request
    return passkeys.addPasskey(deps, { viewer, device: getDeviceLabel(request), sessionId }, body)
  })

  registerEndpoint(app, passkeyEndpoints.renamePasskey, ({ viewer, params, body }) =>
    passkeys.renamePasskey(deps.db, viewer, params.id, body.name),
  )

  registerEndpoint(app, passkeyEndpoints.removePasskey, async (request) =>
    passkeys.removePasskey(deps, await confirmPassword(request), request.params.id),
  )
}

function twoFactorRoutes(app: App, deps: Deps): void {
  const confirmPassword = createConfirmPassword(deps)

  registerEndpoint(app, twoFactorEndpoints.getTwoFactor, async ({ viewer }) => ({
    twoFactor: await describeTwoFactor(deps.db, viewer),
  }))

  registerEndpoint(app, twoFactorEndpoints.setUpTwoFactor, async (request) =>
    startSetup(deps, await confirmPassword(request)),
  )

  registerEndpoint(app, twoFactorEndpoints.enableTwoFactor, async (request) => {
    const { viewer, sessionId, body } = request
    return { recoveryCodes: await enable(deps, { viewer, device: getDeviceLabel(request), sessionId }, body.code) }
  })

  registerEndpoint(app, twoFactorEndpoints.regenerateRecoveryCodes, async (request) => ({
    recoveryCodes: await regenerateRecoveryCodes(deps, await confirmPassword(request)),
  }))

  registerEndpoint(app, twoFactorEndpoints.disableTwoFactor, async (request) =>
    disable(deps, await confirmPassword(request)),
  )
}
