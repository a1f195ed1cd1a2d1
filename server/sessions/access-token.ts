import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveSecret } from '../passwords/secret.ts'

const accessTokenTtlSeconds = 600
/** Servers' clocks may differ by this much. */
const clockToleranceSeconds = 60

const sign = (secret: string, claims: string): string =>
  createHmac('sha256', deriveSecret(secret, 'access-token')).update(claims).digest('base64url')

/** The session, and the number of the refresh token that was given out with the access token. */
export type AccessClaims = { sessionId: string; rotation: number }

/** `session id.rotation.expiry.signature`; the expiry is in seconds since 1970. */
export function signAccessToken(secret: string, { sessionId, rotation }: AccessClaims): string {
  const claims = `${sessionId}.${rotation}.${Math.floor(Date.now() / 1000) + accessTokenTtlSeconds}`
  return `${claims}.${sign(secret, claims)}`
}

/** The claims of a valid access token, else null. The session may have ended. */
export function parseAccessToken(secret: string, token: string): AccessClaims | null {
  const [sessionId = '', rotation = '', expiry = '', signature = '', ...rest] = token.split('.')
  const expected = Buffer.from(sign(secret, `${sessionId}.${rotation}.${expiry}`))
  const given = Buffer.from(signature)
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return Number(expiry) + clockToleranceSeconds > Date.now() / 1000 ? { sessionId, rotation: Number(rotation) } : null
}
