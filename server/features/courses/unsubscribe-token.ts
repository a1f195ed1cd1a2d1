import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveSecret } from '../../platform/db/secret.ts'

const idBytes = 16

/**
 * The token of an unsubscribe link: the id of the `course_digests` row, which is used nowhere else, and its signature.
 */
export function unsubscribeToken(secret: string, id: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.concat([bytes, seal(secret, bytes)]).toString('base64url')
}

/** @returns the id, or null if the signature is invalid. */
export function readUnsubscribeToken(secret: string, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url')
  const [id, given] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes)]
  const expected = seal(secret, id)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const seal = (secret: string, id: Buffer) =>
  createHmac('sha256', deriveSecret(secret, 'unsubscribe')).update(id).digest().subarray(0, idBytes)
