import { createSecretKey } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'

export const accessTokenTtlSeconds = 600
/** Servers' clocks may differ by this much. */
const clockToleranceSeconds = 60

export type AccessClaims = { userId: string; sessionId: string }

export type AccessTokens = {
  sign(claims: AccessClaims): Promise<string>
  /** Null for whatever is not a living access token of ours. The session it names is the caller's to check. */
  verify(token: string): Promise<AccessClaims | null>
}

export function createAccessTokens(secret: string): AccessTokens {
  const key = createSecretKey(Buffer.from(secret, 'utf8'))
  const fixed = { issuer: 'lectern', audience: 'lectern-access' }

  return {
    sign: ({ userId, sessionId }) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
        .setSubject(userId)
        .setIssuer(fixed.issuer)
        .setAudience(fixed.audience)
        .setIssuedAt()
        .setExpirationTime(`${accessTokenTtlSeconds}s`)
        .sign(key),

    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, key, {
          ...fixed,
          algorithms: ['HS256'],
          typ: 'at+jwt',
          requiredClaims: ['exp'],
          clockTolerance: clockToleranceSeconds,
        })
        if (typeof payload.sub !== 'string' || typeof payload.sid !== 'string') return null
        return { userId: payload.sub, sessionId: payload.sid }
      } catch {
        return null
      }
    },
  }
}
