import * as endpoints from '../../contract/sessions.endpoints.ts'
import type { Deps } from '../deps.ts'
import { fail } from '../failure.ts'
import type { App } from '../http/app-type.ts'
import { roomyBodyBytes } from '../http/body-limits.ts'
import { serve } from '../http/endpoints.ts'
import { networkOf } from '../http/network.ts'
import { getProfile } from '../profile/profile.ts'
import { getUser } from '../users/users.ts'
import { createDeviceCookie } from './device-cookie.ts'
import { labelDevice } from './device-label.ts'
import { createHostCookie } from './host-cookie.ts'
import { countLogin } from './login-limits.ts'
import { bearerOf } from './require-user.ts'
import { logIn, logOut, refreshSession, sessionTtlSeconds } from './sessions.ts'

export function sessionRoutes(app: App, deps: Deps): void {
  const { db, rateLimits } = deps
  const cookie = createHostCookie(deps.config.publicUrl, 'lectern-refresh', sessionTtlSeconds)
  const devices = createDeviceCookie(deps)

  serve(
    app,
    endpoints.logIn,
    async (request, reply) => {
      const { email } = request.body
      const known = devices.findDevice(request, email)
      const attempt = await countLogin(rateLimits, { email, network: networkOf(request.ip), device: known })
      const device = {
        name: devices.nameDevice(request),
        label: labelDevice(request.headers['user-agent']),
        isKnown: known !== null,
      }
      const { userId, accessToken, refreshToken } = await logIn(deps, request.body, device)
      await attempt.succeeded()
      cookie.set(reply, refreshToken)
      devices.remember(reply, device.name, email)
      return { accessToken, user: await getProfile(db, await getUser(db, userId)) }
    },
    { bodyLimit: roomyBodyBytes },
  )

  serve(app, endpoints.refreshSession, async (request, reply) => {
    const presented = cookie.get(request)
    if (presented === undefined && request.query.ifAny) return reply.status(204).send(null)
    const { accessToken, refreshToken } = await refreshSession(deps, presented ?? fail('session_expired'))
    cookie.set(reply, refreshToken)
    return { accessToken }
  })

  for (const endpoint of [endpoints.logOut, endpoints.endSession]) {
    serve(app, endpoint, async (request, reply) => {
      await logOut(deps, { refreshToken: cookie.get(request), accessToken: bearerOf(request) })
      cookie.clear(reply)
      return null
    })
  }
}
