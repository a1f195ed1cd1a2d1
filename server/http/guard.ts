import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Viewer } from './viewer.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null on public routes. */
    viewer: Viewer | null
    /** The viewer's session that the request belongs to. */
    sessionId: string | null
  }
  interface FastifyContextConfig {
    /** Everybody may call this route. */
    public?: true
  }
}

/** Sets the request's viewer and session. @throws unauthorized */
export type RequireUser = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Closed by default: a route that is not named public is for who is signed in, whoever registers it. This runs after
 * every other hook on a request, and before the body is read.
 */
export function closeRoutes(app: FastifyInstance, requireUser: RequireUser): void {
  app.decorateRequest('viewer', null)
  app.decorateRequest('sessionId', null)
  app.addHook('preParsing', async (request, reply) => {
    if (!request.is404 && !request.routeOptions.config.public) await requireUser(request, reply)
  })
}

/** An `onRoute` hook around plugins that bring routes of their own: everybody may call them. */
export function nameRoutePublic(route: RouteOptions): void {
  route.config = { ...route.config, public: true }
}
