import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { hasRole } from '../../../packages/contract/roles.ts'
import type { Viewer } from '../db/viewer.ts'
import { fail } from './api-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on public routes. */
    viewer: Viewer | null
    /** The viewer's session that the request belongs to. */
    sessionId: string | null
    /** That session is one of a suspended student, which opens little. */
    isLimited: boolean
    /**
     * Once more, where a body has come since: nothing is done for a session that has ended.
     * @throws unauthorized, account_suspended
     */
    requireUserStill(): Promise<void>
  }
  interface FastifyContextConfig {
    /** Everybody may call this route. */
    public?: true
    /** Who has another one is told that there is nothing. */
    role?: Viewer['role']
    /** Suspended students may call this route, too. */
    whileSuspended?: true
  }
}

/** Sets the request's viewer and session. @throws unauthorized, account_suspended */
export type RequireUser = (request: FastifyRequest) => Promise<void>

/**
 * Closed by default: a route that is not named public is for who is signed in, whoever registers it. This runs after
 * every other hook on a request, and before the body is read.
 */
export function requireAuthByDefault(app: FastifyInstance, requireUser: RequireUser): void {
  app.decorateRequest('viewer', null)
  app.decorateRequest('sessionId', null)
  app.decorateRequest('isLimited', false)
  const admit = async (request: FastifyRequest) => {
    await requireUser(request)
    const { role } = request.routeOptions.config
    if (role && !(request.viewer && hasRole(request.viewer.role, role))) fail('not_found')
  }
  app.decorateRequest('requireUserStill', async function (this: FastifyRequest) {
    if (this.viewer !== null) await admit(this)
  })
  // Whoever sends a body byte by byte would be let in for as long.
  app.addHook('preValidation', async (request) => {
    if (request.body != null) await request.requireUserStill()
  })
  app.addHook('preParsing', async (request) => {
    if (!request.is404 && !request.routeOptions.config.public) await admit(request)
  })
}

/** An `onRoute` hook around plugins that bring routes of their own: everybody may call them. */
export function markRoutePublic(route: RouteOptions): void {
  route.config = { ...route.config, public: true }
}
