import * as endpoints from '../../../../packages/contract/sessions.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import { getIpKey } from '../../../platform/http/addresses.ts'
import { fail } from '../../../platform/http/api-error.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { largeBodyLimitBytes, registerEndpoint } from '../../../platform/http/endpoints.ts'
import { createChallengeCookie } from '../two-factor/login-challenges.ts'
import { countLogin } from './login-limits.ts'
import { createLoginResponder } from './login-response.ts'
import { getBearerToken } from './require-user.ts'
import { logIn, logOut, refreshSession } from './sessions.ts'

export function sessionRoutes(app: App, deps: Deps): void {
  const { rateLimits } = deps
  const login = createLoginResponder(deps)
  const { cookie } = login
  const stepCookie = createChallengeCookie(deps.config)

  registerEndpoint(
    app,
    endpoints.logIn,
    async (request, reply) => {
      const { email } = request.body
      const device = login.findDevice(request, email)
      const counted = { email, network: getIpKey(request.ip), device: device.isKnown ? device.name : null }
      const attempt = await countLogin(rateLimits, counted)
      const entered = await logIn(deps, request.body, device)
      await attempt.succeeded()
      if ('stepToken' in entered) {
        stepCookie.set(reply, entered.stepToken)
        fail('code_needed')
      }
      return login.answer(reply, entered, device)
    },
    { bodyLimit: largeBodyLimitBytes },
  )

  registerEndpoint(app, endpoints.refreshSession, async (request, reply) => {
    const presented = cookie.get(request)
    if (presented === undefined && request.query.ifAny) return reply.status(204).send(null)
    const { accessToken, refreshToken } = await refreshSession(deps, presented ?? fail('session_expired'))
    cookie.set(reply, refreshToken)
    return { accessToken }
  })

  for (const endpoint of [endpoints.logOut, endpoints.endSession]) {
    registerEndpoint(app, endpoint, async (request, reply) => {
      await logOut(deps, { refreshToken: cookie.get(request), accessToken: getBearerToken(request) })
      cookie.clear(reply)
      return null
    })
  }
}
