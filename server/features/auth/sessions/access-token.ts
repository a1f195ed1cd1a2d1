import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveSecret } from '../../../platform/db/secret.ts'

const accessTokenTtlSeconds = 600
/** The clocks of servers may differ by this much. */
const clockToleranceSeconds = 60

/** @param purpose is empty for full access, or the id of the one export that the token opens. */
const sign = (secret: string, claims: string, purpose: string): string =>
  createHmac('sha256', deriveSecret(secret, purpose === '' ? 'access-token' : 'export-link'))
    .update(`${claims}${purpose}`)
    .digest('base64url')

/** The session, and the number of the refresh token that was issued with the access token. */
export type AccessClaims = { sessionId: string; rotation: number }

/** The format is `session id.rotation.expiry.signature`; the expiry is in seconds since 1970. */
export function signAccessToken(secret: string, { sessionId, rotation }: AccessClaims, purpose = ''): string {
  const claims = `${sessionId}.${rotation}.${Math.floor(Date.now() / 1000) + accessTokenTtlSeconds}`
  return `${claims}.${sign(secret, claims, purpose)}`
}

/** Returns the claims of a valid access token, else null. The session may have ended. */
export function parseAccessToken(secret: string, token: string, purpose = ''): AccessClaims | null {
  const [sessionId = '', rotation = '', expiry = '', signature = '', ...rest] = token.split('.')
  const expected = Buffer.from(sign(secret, `${sessionId}.${rotation}.${expiry}`, purpose))
  const given = Buffer.from(signature)
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return Number(expiry) + clockToleranceSeconds > Date.now() / 1000 ? { sessionId, rotation: Number(rotation) } : null
}

const separator = '~'
/** A link does not show which refresh token the client has received. */
const noRotation = -1

/** The browser opens this link itself. It works as long as an access token of the session, for one export. */
export const signExportLink = (secret: string, sessionId: string, exportId: string): string =>
  `${exportId}${separator}${signAccessToken(secret, { sessionId, rotation: noRotation }, exportId)}`

/** Returns the claims of a valid link and its export, else null. */
export function parseExportLink(secret: string, link: string): (AccessClaims & { exportId: string }) | null {
  const [exportId = '', token = ''] = link.split(separator)
  const claims = exportId === '' ? null : parseAccessToken(secret, token, exportId)
  return claims && { ...claims, exportId }
}
