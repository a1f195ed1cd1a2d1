import type { FastifyRequest } from 'fastify'
import { downloadExport } from '../../../../packages/contract/settings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import { isDatabaseUnavailable } from '../../../platform/db/database-unavailable.ts'
import { fail } from '../../../platform/http/api-error.ts'
import type { RequireUser } from '../../../platform/http/auth-guard.ts'
import { createUserRateLimits } from '../../../platform/http/rate-limits.ts'
import { throwSuspended } from '../../moderation/suspensions/active-suspension.ts'
import { parseAccessToken, parseExportLink } from './access-token.ts'
import { findActiveSession, markRotationUsed } from './sessions.queries.ts'

export function getBearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/**
 * Guards every route that is not public. Besides the token's signature, it reads the session from the database, so that
 * a logout, a suspension or a new role takes effect on every server with the next request. Each request counts once for
 * the limits of its user. A limited session opens only the endpoints that the contract names.
 */
export function createRequireUser(
  deps: Pick<Deps, 'db' | 'readAnyway' | 'secret' | 'rateLimits' | 'config'>,
): RequireUser {
  const count = createUserRateLimits(deps.rateLimits, deps.config)
  return async (request) => {
    const token = getBearerToken(request)
    const link = request.routeOptions.url === downloadExport.path && (request.query as { link?: unknown }).link
    const claims =
      (typeof link === 'string' ? parseExportLink(deps.secret, link) : token && parseAccessToken(deps.secret, token)) ||
      fail('unauthorized')
    const { sessionId, rotation } = claims
    const { isLimited, unusedRotation, ...viewer } =
      (await deps.readAnyway((db) => findActiveSession(db, sessionId))) ?? fail('unauthorized')
    if (unusedRotation === rotation) {
      // Reads continue when the primary database is unavailable.
      await markRotationUsed(deps.db, claims).catch((error) => {
        if (!isDatabaseUnavailable(error)) throw error
      })
    }
    const isCounted = request.viewer !== null
    request.viewer = viewer
    request.sessionId = sessionId
    request.isLimited = isLimited
    if (!isCounted) count(viewer, request)
    if (isLimited && !request.routeOptions.config.whileSuspended) await throwSuspended(deps.db, viewer.id)
  }
}
