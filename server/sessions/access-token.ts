import { createSecretKey } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { deriveSecret } from '../secret.ts'

export const accessTokenTtlSeconds = 600
/** Servers' clocks may differ by this much. */
const clockToleranceSeconds = 60

export type AccessClaims = { userId: string; sessionId: string }

const fixed = { issuer: 'lectern', audience: 'lectern-access' }
const keyOf = (secret: string) => createSecretKey(Buffer.from(deriveSecret(secret, 'access-token'), 'hex'))

export function signAccessToken(secret: string, { userId, sessionId }: AccessClaims): Promise<string> {
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setSubject(userId)
    .setIssuer(fixed.issuer)
    .setAudience(fixed.audience)
    .setIssuedAt()
    .setExpirationTime(`${accessTokenTtlSeconds}s`)
    .sign(keyOf(secret))
}

/** Null for whatever is not a living access token of ours. The session it names is the caller's to check. */
export async function readAccessToken(secret: string, token: string): Promise<AccessClaims | null> {
  try {
    const { payload } = await jwtVerify(token, keyOf(secret), {
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
}
