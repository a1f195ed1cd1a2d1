import { ConfigError } from '../../config.ts'
import type { Db } from './pool.ts'
import { deriveSecret } from './secret.ts'

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
