import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { deriveSecret } from '../../../platform/db/secret.ts'
import type { PasswordHasher } from '../passwords/hasher.ts'

/** All apps use these values of RFC 6238. Codes of the step before or after are accepted for slow clocks. */
const periodSeconds = 30
const totp = { issuer: 'Lectern', algorithm: 'SHA1', digits: 6, period: periodSeconds }
const neighbouringSteps = 1
/** RFC 4226 recommends 160 bits. */
const secretBytes = 20

export const generateTotpSecret = (): string => new Secret({ size: secretBytes }).base32

/** An app reads this URI from the QR code. */
export const toOtpauthUri = (secret: string, email: string): string =>
  new TOTP({ ...totp, label: email, secret }).toString()

/** Returns the time step of a code at a moment of the database's clock; null for any other code. */
export function findTimeStep(secret: string, code: string, nowMs: number): number | null {
  const off = new TOTP({ ...totp, secret }).validate({ token: code, timestamp: nowMs, window: neighbouringSteps })
  return off === null ? null : Math.floor(nowMs / 1000 / periodSeconds) + off
}

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16
const keyOf = (secret: string) => Buffer.from(deriveSecret(secret, 'totp'), 'hex')

/** The result can be decrypted only for this account. */
export function encryptTotpSecret(secret: string, userId: string, appSecret: string): Buffer {
  const iv = randomBytes(ivBytes)
  const sealing = createCipheriv(cipher, keyOf(secret), iv, { authTagLength: tagBytes }).setAAD(Buffer.from(userId))
  const sealed = Buffer.concat([sealing.update(appSecret, 'utf8'), sealing.final()])
  return Buffer.concat([iv, sealing.getAuthTag(), sealed])
}

/** Returns null for a different instance secret, as after a restore without the matching one. */
export function decryptTotpSecret(secret: string, userId: string, sealed: Buffer): string | null {
  const [iv, tag, rest] = [
    sealed.subarray(0, ivBytes),
    sealed.subarray(ivBytes, ivBytes + tagBytes),
    sealed.subarray(ivBytes + tagBytes),
  ]
  try {
    const opening = createDecipheriv(cipher, keyOf(secret), iv, { authTagLength: tagBytes })
      .setAAD(Buffer.from(userId))
      .setAuthTag(tag)
    return Buffer.concat([opening.update(rest), opening.final()]).toString('utf8')
  } catch {
    return null
  }
}

const recoveryCodeCount = 10
const recoveryCodeLength = 10
/** Crockford's alphabet omits characters that look alike. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Each code has 50 bits. @returns the codes to show and the hashes to store. */
export async function makeRecoveryCodes(
  passwords: Pick<PasswordHasher, 'hash'>,
): Promise<{ codes: string[]; hashes: string[] }> {
  const plain = Array.from({ length: recoveryCodeCount }, makeRecoveryCode)
  const hashes: string[] = []
  for (const code of plain) hashes.push(await passwords.hash(code, hashes[0]))
  return { codes: plain.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`), hashes }
}

const makeRecoveryCode = () =>
  Array.from(randomBytes(recoveryCodeLength), (byte) => alphabet[byte % alphabet.length]).join('')

export type TypedCode = { kind: 'app' | 'recovery'; code: string }

/** Ignores blanks and hyphens; returns null for text that is neither kind of code. */
export function readCode(typed: string): TypedCode | null {
  const text = typed.replaceAll(/[\s-]/g, '')
  if (/^\d{6}$/.test(text)) return { kind: 'app', code: text }
  const code = text.toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1')
  const isRecoveryCode = code.length === recoveryCodeLength && [...code].every((letter) => alphabet.includes(letter))
  return isRecoveryCode ? { kind: 'recovery', code } : null
}
