import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { fail } from '../failure.ts'
import type { RequireUser } from '../http/guard.ts'
import { createStudentLimits } from '../http/student-limits.ts'
import { failSuspended } from '../suspensions/fail-suspended.ts'
import { createAccessTokenReader } from './access-token.ts'
import { createSessionMemory } from './session-memory.ts'

export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/**
 * The guard of every route that is not public. Besides the token's signature it checks that the session lives, so that
 * logout and reset end access at once. What a student asks for is counted here, once. A session that is limited opens what the
 * contract says, and nothing that it does not speak of.
 */
export function createRequireUser(
  deps: Pick<Deps, 'db' | 'secret' | 'announcements' | 'rateLimits' | 'config'>,
): RequireUser {
  const readAccessToken = createAccessTokenReader(deps.secret)
  const findSession = createSessionMemory(deps)
  const count = createStudentLimits(deps.rateLimits, deps.config)
  return async (request) => {
    const token = bearerOf(request)
    const claims = token ? readAccessToken(token) : null
    if (!claims) fail('unauthorized')
    const { viewer, isLimited } = (await findSession(claims)) ?? fail('unauthorized')
    const isCounted = request.viewer !== null
    request.viewer = viewer
    request.sessionId = claims.sessionId
    request.isLimited = isLimited
    if (!isCounted) count(viewer, request)
    if (isLimited && !request.routeOptions.config.whileSuspended) await failSuspended(deps.db, viewer.id)
  }
}
