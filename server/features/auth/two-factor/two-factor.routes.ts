import * as endpoints from '../../../../packages/contract/two-factor.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import { fail } from '../../../platform/http/api-error.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { serve } from '../../../platform/http/endpoints.ts'
import { createConfirmPassword } from '../sessions/confirm-password.ts'
import { labelOfRequest } from '../sessions/device-label.ts'
import { createLoginReply } from '../sessions/login-response.ts'
import { logInByCode } from './log-in-with-code.ts'
import { createStepCookie } from './login-challenges.ts'
import { describeTwoFactor, renewRecoveryCodes, setUp, turnOff, turnOn } from './two-factor.ts'

export function totpRoutes(app: App, deps: Deps): void {
  const confirmPassword = createConfirmPassword(deps)
  const login = createLoginReply(deps)
  const stepCookie = createStepCookie(deps.config)

  serve(app, endpoints.logInWithCode, async (request, reply) => {
    const token = stepCookie.get(request) ?? fail('login_step_over')
    const findDevice = (email: string) => login.findDevice(request, email)
    const { started, device } = await logInByCode(deps, { token, typed: request.body.code }, findDevice)
    stepCookie.clear(reply)
    return login.answer(reply, started, device)
  })

  serve(app, endpoints.getTwoFactor, async ({ viewer }) => ({ twoFactor: await describeTwoFactor(deps.db, viewer) }))

  serve(app, endpoints.setUpTwoFactor, async (request) => {
    const { viewer, sessionId, body } = request
    const confirmedHash = await confirmPassword(request, viewer, body.currentPassword)
    return setUp(deps, { viewer, device: labelOfRequest(request), confirmedHash }, sessionId)
  })

  serve(app, endpoints.enableTwoFactor, async (request) => {
    const { viewer, sessionId, body } = request
    return { recoveryCodes: await turnOn(deps, { viewer, device: labelOfRequest(request), sessionId }, body.code) }
  })

  serve(app, endpoints.regenerateRecoveryCodes, async (request) => {
    const { viewer, body } = request
    const confirmedHash = await confirmPassword(request, viewer, body.currentPassword)
    return { recoveryCodes: await renewRecoveryCodes(deps, { viewer, device: labelOfRequest(request), confirmedHash }) }
  })

  serve(app, endpoints.disableTwoFactor, async (request) => {
    const { viewer, body } = request
    const confirmedHash = await confirmPassword(request, viewer, body.currentPassword)
    await turnOff(deps, { viewer, device: labelOfRequest(request), confirmedHash })
    return null
  })
}
