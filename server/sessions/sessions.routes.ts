import { z } from 'zod'
import { credentials } from '../../contract/accounts.ts'
import { loginAnswer, refreshAnswer } from '../../contract/sessions.ts'
import type { Deps } from '../deps.ts'
import { fail } from '../failure.ts'
import type { App } from '../http/app-type.ts'
import { roomyBodyBytes } from '../http/body-limits.ts'
import { networkOf } from '../http/network.ts'
import { refusals } from '../http/schemas.ts'
import { getUser } from '../profile/profile.ts'
import { createDeviceCookie } from './device-cookie.ts'
import { createHostCookie } from './host-cookie.ts'
import { countLogin } from './login-limits.ts'
import { bearerOf } from './require-user.ts'
import { logIn, logOut, refreshSession, sessionTtlSeconds } from './sessions.ts'

export function sessionRoutes(app: App, deps: Deps): void {
  const { db, rateLimits } = deps
  const cookie = createHostCookie(deps.config.publicUrl, 'lectern-refresh', sessionTtlSeconds)
  const devices = createDeviceCookie(deps)

  app.post(
    '/api/users/login',
    {
      bodyLimit: roomyBodyBytes,
      schema: {
        tags: ['sessions'],
        summary: 'Log in',
        description: 'Sets the refresh token as an HttpOnly cookie, and another that tells this device later.',
        body: credentials,
        response: {
          200: loginAnswer,
          ...refusals('invalid_input', 'invalid_credentials', 'email_not_verified', 'rate_limited', 'busy'),
        },
      },
    },
    async (request, reply) => {
      const { email } = request.body
      const device = devices.findDevice(request, email)
      const attempt = await countLogin(rateLimits, { email, network: networkOf(request.ip), device })
      const { userId, accessToken, refreshToken } = await logIn(deps, request.body)
      await attempt.succeeded()
      cookie.set(reply, refreshToken)
      devices.remember(request, reply, email)
      return { accessToken, user: await getUser(db, userId) }
    },
  )

  app.register(async (app: App) => {
    ignoreBodies(app)
    app.post(
      '/api/users/auth/refresh',
      {
        schema: {
          tags: ['sessions'],
          summary: 'Get a new access token',
          description: 'Reads the refresh cookie and replaces it. A cookie that was replaced before ends the session.',
          response: { 200: refreshAnswer, ...refusals('session_expired', 'cross_site_request') },
        },
      },
      async (request, reply) => {
        const { accessToken, refreshToken } = await refreshSession(deps, cookie.get(request) ?? fail('session_expired'))
        cookie.set(reply, refreshToken)
        return { accessToken }
      },
    )

    for (const url of ['/api/users/logout', '/api/users/auth/logout']) {
      app.post(
        url,
        {
          schema: {
            tags: ['sessions'],
            summary: 'Log out',
            description:
              'Ends the session of the refresh cookie and that of the access token. Doing so again is no error.',
            response: { 204: z.null(), ...refusals('cross_site_request') },
          },
        },
        async (request, reply) => {
          await logOut(deps, { refreshToken: cookie.get(request), accessToken: bearerOf(request) })
          cookie.clear(reply)
          return reply.status(204).send(null)
        },
      )
    }
  })
}

/** These calls take nothing, and many clients say "JSON" of the nothing they send, which would not be JSON. */
function ignoreBodies(app: App): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, _body, done) => done(null))
}
