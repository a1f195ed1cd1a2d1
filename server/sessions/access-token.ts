import { createSigner, createVerifier } from 'fast-jwt'
import { deriveSecret } from '../secret.ts'

const accessTokenTtlSeconds = 600
/** Servers' clocks may differ by this much. */
const clockToleranceSeconds = 60

export type AccessClaims = { userId: string; sessionId: string }

const algorithm = 'HS256'
const type = 'at+jwt'
const issuer = 'lectern'
const audience = 'lectern-access'
const keyOf = (secret: string) => Buffer.from(deriveSecret(secret, 'access-token'), 'hex')

export function signAccessToken(secret: string, { userId, sessionId }: AccessClaims): string {
  const sign = createSigner({
    key: keyOf(secret),
    algorithm,
    header: { alg: algorithm, typ: type },
    iss: issuer,
    aud: audience,
    sub: userId,
    expiresIn: accessTokenTtlSeconds * 1000,
  })
  return sign({ sid: sessionId })
}

/**
 * A reader of access tokens: null for whatever is not a living one of ours. The session it names is the caller's to
 * check. It answers at once, on this thread: a signature that waits for libuv's threads, as WebCrypto's do, waits for
 * the disk behind every large upload.
 */
export function createAccessTokenReader(secret: string): (token: string) => AccessClaims | null {
  const verify = createVerifier({
    key: keyOf(secret),
    algorithms: [algorithm],
    checkTyp: type,
    allowedIss: issuer,
    allowedAud: audience,
    requiredClaims: ['iss', 'aud', 'exp'],
    clockTolerance: clockToleranceSeconds * 1000,
  })
  return (token) => {
    try {
      const { sub, sid } = verify(token)
      return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : null
    } catch {
      return null
    }
  }
}
