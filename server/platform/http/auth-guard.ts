import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { hasRole } from '../../../packages/contract/roles.ts'
import type { Viewer } from '../db/viewer.ts'
import { fail } from './api-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on public routes. */
    viewer: Viewer | null
    /** The session of the viewer that sent the request. */
    sessionId: string | null
    /** True for the session of a suspended student, who may call few routes. */
    isLimited: boolean
    /**
     * Checks the session again after the body was read, because it may have ended meanwhile.
     * @throws unauthorized, account_suspended
     */
    recheckUser(): Promise<void>
  }
  interface FastifyContextConfig {
    /** The route needs no session. */
    public?: true
    /** Users without this role get 404, so that the endpoint is not revealed. */
    role?: Viewer['role']
    /** Suspended students may call this route too. */
    whileSuspended?: true
  }
}

/** Sets the request's viewer and session. @throws unauthorized, account_suspended */
export type RequireUser = (request: FastifyRequest) => Promise<void>

/**
 * Requires a session on every route that is not marked public, including routes of plugins. The check runs after every
 * other hook on a request, and before the body is read.
 */
export function requireAuthByDefault(app: FastifyInstance, requireUser: RequireUser): void {
  app.decorateRequest('viewer', null)
  app.decorateRequest('sessionId', null)
  app.decorateRequest('isLimited', false)
  const authorise = async (request: FastifyRequest) => {
    await requireUser(request)
    const { role } = request.routeOptions.config
    if (role && !(request.viewer && hasRole(request.viewer.role, role))) fail('not_found')
  }
  app.decorateRequest('recheckUser', async function (this: FastifyRequest) {
    if (this.viewer !== null) await authorise(this)
  })
  // A slow upload could otherwise outlive a session that ended in the meantime.
  app.addHook('preValidation', async (request) => {
    if (request.body != null) await request.recheckUser()
  })
  app.addHook('preParsing', async (request) => {
    if (!request.is404 && !request.routeOptions.config.public) await authorise(request)
  })
}

/** An `onRoute` hook that makes the routes of a plugin public. */
export function markRoutePublic(route: RouteOptions): void {
  route.config = { ...route.config, public: true }
}
