import type { FastifyReply, FastifyRequest } from 'fastify'
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
import { bearerOf } from './require-user.ts'
import { logIn, logOut, refreshSession, sessionTtlSeconds } from './sessions.ts'

/**
 * Failures by account and address, so that nobody can lock another out; the second bounds guessing over many accounts
 * and leaves room for a campus behind one address.
 */
const loginLimit = { name: 'login', points: 10, seconds: 15 * 60 }
const loginAddressLimit = { name: 'login-address', points: 100, seconds: 15 * 60 }

export function sessionRoutes(app: App, deps: Deps): void {
  const { db, rateLimits } = deps
  const cookie = createRefreshCookie(deps.config.publicUrl)

  app.post(
    '/api/users/login',
    {
      bodyLimit: roomyBodyBytes,
      schema: {
        tags: ['sessions'],
        summary: 'Log in',
        description: 'Sets the refresh token as an HttpOnly cookie.',
        body: credentials,
        response: {
          200: loginAnswer,
          ...refusals('invalid_input', 'invalid_credentials', 'email_not_verified', 'rate_limited', 'busy'),
        },
      },
    },
    async (request, reply) => {
      const network = networkOf(request.ip)
      const attempt = `${request.body.email} ${network}`
      await rateLimits.take(loginAddressLimit, network)
      await rateLimits.take(loginLimit, attempt)
      const { userId, accessToken, refreshToken } = await logIn(deps, request.body)
      await rateLimits.forgive(loginLimit, attempt)
      await rateLimits.takeBack(loginAddressLimit, network)
      cookie.set(reply, refreshToken)
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

/** `__Host-` binds the cookie to this very host, but browsers accept it over https only. */
function createRefreshCookie(publicUrl: string) {
  const secure = publicUrl.startsWith('https:')
  const name = secure ? '__Host-lectern-refresh' : 'lectern-refresh'
  const attributes = { path: '/', httpOnly: true, secure, sameSite: 'strict' } as const
  return {
    get: (request: FastifyRequest) => request.cookies[name],
    set: (reply: FastifyReply, token: string) =>
      reply.setCookie(name, token, { ...attributes, maxAge: sessionTtlSeconds }).header('cache-control', 'no-store'),
    clear: (reply: FastifyReply) => reply.clearCookie(name, attributes),
  }
}
