import type { FastifyReply, FastifyRequest } from 'fastify'
import * as endpoints from '../../contract/sessions.endpoints.ts'
import type { Deps } from '../deps.ts'
import { fail } from '../failure.ts'
import type { App } from '../http/app-type.ts'
import { roomyBodyBytes } from '../http/body-limits.ts'
import { serve } from '../http/endpoints.ts'
import { networkOf } from '../http/network.ts'
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

  serve(
    app,
    endpoints.logIn,
    async ({ ip, body }, reply) => {
      const network = networkOf(ip)
      const attempt = `${body.email} ${network}`
      await rateLimits.take(loginAddressLimit, network)
      await rateLimits.take(loginLimit, attempt)
      const { userId, accessToken, refreshToken } = await logIn(deps, body)
      await rateLimits.forgive(loginLimit, attempt)
      await rateLimits.takeBack(loginAddressLimit, network)
      cookie.set(reply, refreshToken)
      return { accessToken, user: await getUser(db, userId) }
    },
    { bodyLimit: roomyBodyBytes },
  )

  serve(app, endpoints.refreshSession, async (request, reply) => {
    const { accessToken, refreshToken } = await refreshSession(deps, cookie.get(request) ?? fail('session_expired'))
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
