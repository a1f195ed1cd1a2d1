import * as endpoints from '../../../../packages/contract/two-factor.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import { fail } from '../../../platform/http/api-error.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { createConfirmPassword } from '../sessions/confirm-password.ts'
import { getDeviceLabel } from '../sessions/device-label.ts'
import { createLoginResponder } from '../sessions/login-response.ts'
import { logInWithCode } from './log-in-with-code.ts'
import { createChallengeCookie } from './login-challenges.ts'
import { describeTwoFactor, disable, enable, regenerateRecoveryCodes, startSetup } from './two-factor.ts'

export function totpRoutes(app: App, deps: Deps): void {
  const confirmPassword = createConfirmPassword(deps)
  const login = createLoginResponder(deps)
  const stepCookie = createChallengeCookie(deps.config)

  registerEndpoint(app, endpoints.logInWithCode, async (request, reply) => {
    const token = stepCookie.get(request) ?? fail('login_step_over')
    const findDevice = (email: string) => login.findDevice(request, email)
    const { started, device } = await logInWithCode(deps, { token, typed: request.body.code }, findDevice)
    stepCookie.clear(reply)
    return login.answer(reply, started, device)
  })

  registerEndpoint(app, endpoints.getTwoFactor, async ({ viewer }) => ({
    twoFactor: await describeTwoFactor(deps.db, viewer),
  }))

  registerEndpoint(app, endpoints.setUpTwoFactor, async (request) => {
    const { viewer, sessionId, body } = request
    const confirmedHash = await confirmPassword(request, viewer, body.currentPassword)
    return startSetup(deps, { viewer, device: getDeviceLabel(request), confirmedHash }, sessionId)
  })

  registerEndpoint(app, endpoints.enableTwoFactor, async (request) => {
    const { viewer, sessionId, body } = request
    return { recoveryCodes: await enable(deps, { viewer, device: getDeviceLabel(request), sessionId }, body.code) }
  })

  registerEndpoint(app, endpoints.regenerateRecoveryCodes, async (request) => {
    const { viewer, body } = request
    const confirmedHash = await confirmPassword(request, viewer, body.currentPassword)
    return {
      recoveryCodes: await regenerateRecoveryCodes(deps, { viewer, device: getDeviceLabel(request), confirmedHash }),
    }
  })

  registerEndpoint(app, endpoints.disableTwoFactor, async (request) => {
    const { viewer, body } = request
    const confirmedHash = await confirmPassword(request, viewer, body.currentPassword)
    await disable(deps, { viewer, device: getDeviceLabel(request), confirmedHash })
    return null
  })
}
