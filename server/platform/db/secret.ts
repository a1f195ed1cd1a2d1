import { createHash, createHmac, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../config.ts'
import { hasCode } from '../observability/log.ts'
import type { Db } from './pool.ts'

/**
 * Returns the secret of this instance from DATA_DIR, created at the first start. Two concurrent first starts use the
 * same one.
 */
export async function getOrCreateSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret')
  const temporary = `${file}.${process.pid}`
  await writeFile(temporary, randomBytes(32).toString('hex'), { mode: 0o600 })
  try {
    // A hard link appears complete or not at all, and never replaces an existing secret.
    await link(temporary, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(temporary, { force: true })
  }
  return (await readFile(file, 'utf8')).trim()
}

/** Derives a separate key for each use, so that none can be used in place of another. */
export function deriveSecret(secret: string, use: string): string {
  return createHmac('sha256', secret).update(use).digest('hex')
}

/** The stored form of a token. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** What users lose when the secret changes. */
export const lostWithSecret =
  'All users are logged out, devices count as new, unsubscribe links in old emails break, and two-factor authentication needs a recovery code.'

const fingerprintOf = (secret: string) => deriveSecret(secret, 'fingerprint')

/** Records the secret of a new database. @throws ConfigError when the database has another one. */
export async function requireOwnSecret(db: Db, secret: string): Promise<void> {
  if (await isOwnSecret(db, secret)) return
  throw new ConfigError(
    `SECRET doesn’t match this database. Restore SECRET, or the file "secret" in DATA_DIR. To rotate it, stop all servers, run lectern admin secret adopt with the new one, and start them. ${lostWithSecret}`,
  )
}

/** Whether this is the database's secret; a database without a secret accepts and records it. */
export async function isOwnSecret(db: Db, secret: string): Promise<boolean> {
  const values = { fingerprint: fingerprintOf(secret) }
  await db
    .insertInto('secret_fingerprint')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { fingerprint } = await db.selectFrom('secret_fingerprint').select('fingerprint').executeTakeFirstOrThrow()
  return fingerprint === values.fingerprint
}

/** Replaces the secret of the database. */
export async function adoptSecret(db: Db, secret: string): Promise<void> {
  await db
    .updateTable('secret_fingerprint')
    .set({ fingerprint: fingerprintOf(secret) })
    .execute()
}

/**
 * Derives the secret of the link in a job's mail, 32 bytes in base64url. A job that runs again after a lost response of
 * the mail server mails the same link, so either mail works and a mailbox may treat them as one.
 * @param id of the job, or of the object that several jobs mail.
 */
export const deriveLinkToken = (secret: string, id: string) =>
  createHmac('sha256', deriveSecret(secret, 'link')).update(id).digest('base64url')
