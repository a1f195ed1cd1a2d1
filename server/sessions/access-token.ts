import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveSecret } from '../secret.ts'

const accessTokenTtlSeconds = 600
/** Servers' clocks may differ by this much. */
const clockToleranceSeconds = 60

const sign = (secret: string, claims: string): string =>
  createHmac('sha256', deriveSecret(secret, 'access-token')).update(claims).digest('base64url')

/** `session id.expiry.signature`; the expiry is in seconds since 1970. */
export function signAccessToken(secret: string, sessionId: string): string {
  const claims = `${sessionId}.${Math.floor(Date.now() / 1000) + accessTokenTtlSeconds}`
  return `${claims}.${sign(secret, claims)}`
}

/** The session id of a valid access token, else null. The session may have ended. */
export function parseAccessToken(secret: string, token: string): string | null {
  const [sessionId = '', expiry = '', signature = '', ...rest] = token.split('.')
  const expected = Buffer.from(sign(secret, `${sessionId}.${expiry}`))
  const given = Buffer.from(signature)
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return Number(expiry) + clockToleranceSeconds > Date.now() / 1000 ? sessionId : null
}
