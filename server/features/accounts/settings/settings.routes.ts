import * as endpoints from '../../../../packages/contract/settings.endpoints.ts'
import { settingsMessages } from '../../../../packages/contract/settings.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { largeBodyLimitBytes, registerEndpoint } from '../../../platform/http/endpoints.ts'
import { createConfirmPassword } from '../../auth/sessions/confirm-password.ts'
import { cancelEmailChange } from './cancel-email-change.ts'
import { confirmEmailChange, describeEmail, requestEmailChange, resumeMails } from './email-change.ts'
import { changeName, changePassword } from './settings.ts'

const roomy = { bodyLimit: largeBodyLimitBytes }

export function settingsRoutes(app: App, deps: Deps): void {
  const confirmPassword = createConfirmPassword(deps)

  registerEndpoint(app, endpoints.changeName, async ({ viewer, body }) => {
    await changeName(deps.db, viewer, body.name)
    return body
  })

  registerEndpoint(app, endpoints.getEmailChange, ({ viewer }) => describeEmail(deps.db, viewer))

  registerEndpoint(app, endpoints.resumeMails, async ({ viewer }) => {
    await resumeMails(deps.db, viewer)
    return null
  })

  registerEndpoint(
    app,
    endpoints.changeEmail,
    async (request) => {
      const { viewer, body } = request
      const confirmedHash = await confirmPassword(request, viewer, body.currentPassword)
      await requestEmailChange(deps, { viewer, confirmedHash }, body.email)
      return { message: settingsMessages.emailAsked }
    },
    roomy,
  )

  registerEndpoint(app, endpoints.cancelEmailChange, async ({ viewer }) => {
    await cancelEmailChange(deps.db, viewer.id)
    return null
  })

  registerEndpoint(app, endpoints.confirmEmail, async ({ body }) => {
    await confirmEmailChange(deps, body.token)
    return { message: settingsMessages.emailChanged }
  })

  registerEndpoint(
    app,
    endpoints.changePassword,
    async (request) => {
      const { viewer, sessionId, body } = request
      const confirmedHash = await confirmPassword(request, viewer, body.currentPassword)
      await changePassword(deps, { viewer, sessionId, confirmedHash }, body)
      return { message: settingsMessages.passwordChanged }
    },
    roomy,
  )
}
