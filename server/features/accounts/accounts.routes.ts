import type { FastifyReply } from 'fastify'
import * as endpoints from '../../../packages/contract/accounts.endpoints.ts'
import { accountMessages } from '../../../packages/contract/accounts.ts'
import { updateRecentlyViewed } from '../../../packages/contract/profile.endpoints.ts'
import type { User } from '../../../packages/contract/profile.ts'
import { getMe } from '../../../packages/contract/sessions.endpoints.ts'
import * as settings from '../../../packages/contract/settings.endpoints.ts'
import { settingsMessages } from '../../../packages/contract/settings.ts'
import { getClientConfig } from '../../../packages/contract/system.endpoints.ts'
import type { Deps } from '../../dependencies.ts'
import { getIpKey } from '../../platform/http/addresses.ts'
import { type App, registerEndpoint } from '../../platform/http/endpoints.ts'
import { withEtag } from '../../platform/http/versions.ts'
import { createConfirmPassword } from '../auth/sessions/confirm-password.ts'
import { createDeviceCookie } from '../auth/sessions/cookies.ts'
import * as accounts from './accounts.ts'
import { cancelAccountDeletion, describeAccountDeletion, scheduleAccountDeletion } from './deletion/account-deletion.ts'
import { describeExport, requestExport, sendExport } from './exports/exports.ts'
import { getProfileForSession, saveRecentlyViewed } from './profile/profile.ts'
import { secureAccount } from './security-alerts/alerts.ts'
import {
  changeName,
  changePassword,
  confirmEmailChange,
  describeEmail,
  requestEmailChange,
  resumeMails,
} from './settings/email-change.ts'
import { cancelEmailChange } from './users/users.ts'

export function accountRoutes(app: App, deps: Deps): void {
  registrationRoutes(app, deps)
  profileRoutes(app, deps)
  settingsRoutes(app, deps)
  deletionRoutes(app, deps)
  exportRoutes(app, deps)
}

/**
 * Each call costs a password hash or a mail, so it is limited per network address. A whole lecture may register from
 * behind one address; calls are counted separately, so that exhausting one does not block the others.
 */
const addressLimit = (call: string) => ({ name: `${call}-address`, points: 500, seconds: 15 * 60 })
const resendLimit = { name: 'resend', points: 10, seconds: 15 * 60 }

function registrationRoutes(app: App, deps: Deps): void {
  const { rateLimits } = deps
  const devices = createDeviceCookie(deps)

  registerEndpoint(app, endpoints.register, async ({ ip, body }) => {
    await rateLimits.consume(addressLimit('register'), getIpKey(ip))
    await accounts.register(deps, body)
    return { message: accountMessages.registered }
  })

  registerEndpoint(app, endpoints.verifyEmail, async ({ body }) => {
    await accounts.verifyEmail(deps, body.token)
    return { message: accountMessages.emailVerified }
  })

  registerEndpoint(app, endpoints.verifyEmailWithPassword, async ({ ip, body }) => {
    await rateLimits.consume(addressLimit('verify'), getIpKey(ip))
    await accounts.verifyEmailWithPassword(deps, body)
    return { message: accountMessages.emailVerified }
  })

  registerEndpoint(app, endpoints.resendVerification, async ({ ip, body }) => {
    await rateLimits.consume(resendLimit, `${body.email} ${getIpKey(ip)}`)
    await rateLimits.consume(addressLimit('resend'), getIpKey(ip))
    await accounts.resendVerification(deps, body)
    return { message: accountMessages.verificationResent }
  })

  registerEndpoint(app, endpoints.requestReset, async (request) => {
    const { email } = request.body
    if (!devices.findDevice(request, email)) await rateLimits.consume(addressLimit('forgot'), getIpKey(request.ip))
    await accounts.requestReset(deps, email)
    return { message: accountMessages.resetRequested }
  })

  registerEndpoint(app, endpoints.resetPassword, async ({ ip, body }) => {
    await rateLimits.consume(addressLimit('reset'), getIpKey(ip))
    await accounts.resetPassword(deps, body)
    return { message: accountMessages.passwordReset }
  })
}

function profileRoutes(app: App, { db, config }: Deps): void {
  const tagged = (reply: FastifyReply, user: User) => withEtag(reply, { user }, user.version)

  registerEndpoint(app, getMe, async ({ viewer, isLimited }, reply) =>
    tagged(reply, await getProfileForSession(db, viewer, isLimited)),
  )

  registerEndpoint(app, updateRecentlyViewed, async ({ viewer, body, headers }, reply) =>
    tagged(reply, await saveRecentlyViewed(db, viewer, body.recentlyViewedNotes, headers['if-match'])),
  )

  const { maxFiles, maxFileMb, academicYearStartMonth } = config
  registerEndpoint(app, getClientConfig, async () => ({ maxFiles, maxFileMb, academicYearStartMonth }))
}

function settingsRoutes(app: App, deps: Deps): void {
  const { db } = deps
  const confirmPassword = createConfirmPassword(deps)

  registerEndpoint(app, settings.changeName, async ({ viewer, body }) => {
    await changeName(db, viewer, body.name)
    return body
  })

  registerEndpoint(app, settings.getEmailChange, ({ viewer }) => describeEmail(db, viewer))

  registerEndpoint(app, settings.resumeMails, ({ viewer }) => resumeMails(db, viewer))

  registerEndpoint(app, settings.changeEmail, async (request) => {
    await requestEmailChange(deps, await confirmPassword(request), request.body.email)
    return { message: settingsMessages.emailAsked }
  })

  registerEndpoint(app, settings.cancelEmailChange, ({ viewer }) => cancelEmailChange(db, viewer.id))

  registerEndpoint(app, settings.confirmEmail, async ({ body }) => {
    await confirmEmailChange(deps, body.token)
    return { message: settingsMessages.emailChanged }
  })

  registerEndpoint(app, settings.changePassword, async (request) => {
    await changePassword(deps, await confirmPassword(request), request.body)
    return { message: settingsMessages.passwordChanged }
  })

  registerEndpoint(app, settings.secureAccount, async ({ body }) => ({
    resetToken: await secureAccount(deps, body.token),
  }))
}

function deletionRoutes(app: App, deps: Deps): void {
  const { db } = deps
  const confirmPassword = createConfirmPassword(deps)

  registerEndpoint(app, settings.getAccountDeletion, ({ viewer }) => describeAccountDeletion(db, viewer))

  registerEndpoint(app, settings.requestAccountDeletion, async (request) => {
    await scheduleAccountDeletion(deps, await confirmPassword(request), request.body.notes)
    return describeAccountDeletion(db, request.viewer)
  })

  registerEndpoint(app, settings.cancelAccountDeletion, ({ viewer }) => cancelAccountDeletion(db, viewer))
}

function exportRoutes(app: App, deps: Deps): void {
  registerEndpoint(app, settings.getExport, async ({ viewer, sessionId }) => ({
    export: await describeExport(deps, viewer, sessionId),
  }))

  registerEndpoint(app, settings.requestExport, async ({ viewer, sessionId }) => {
    await requestExport(deps, viewer)
    return { export: await describeExport(deps, viewer, sessionId) }
  })

  registerEndpoint(app, settings.downloadExport, (request, reply) => sendExport(deps, request, reply))
}
