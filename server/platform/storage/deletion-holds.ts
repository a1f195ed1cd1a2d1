import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { inSeconds } from '../db/time.ts'
import { describeError, type Log } from '../observability/log.ts'

/** A hold expires this long after its last renewal. */
const holdSeconds = 300
const renewEveryMs = 60_000

export const selectActiveHolds = (db: Db) =>
  db.selectFrom('deletion_holds').select('id').where('expires_at', '>', sql<Date>`now()`)

/**
 * Keeps every sweep from deleting files until the hold is released or expires. Until then the storage keeps every file
 * that a database snapshot taken after this call references.
 */
export async function holdDeletions(db: Db, log: Log): Promise<{ release(): Promise<void> }> {
  await db.deleteFrom('deletion_holds').where('expires_at', '<=', sql<Date>`now()`).execute()
  const hold = db
    .insertInto('deletion_holds')
    .values({ expires_at: inSeconds(holdSeconds) })
    .returning('id')
  const { id } = await hold.executeTakeFirstOrThrow()
  const renew = db
    .updateTable('deletion_holds')
    .set({ expires_at: inSeconds(holdSeconds) })
    .where('id', '=', id)
  const renewal = setInterval(() => {
    renew
      .execute()
      .catch((error) =>
        log.warn(
          `Couldn’t renew the deletion hold of a backup; the sweep may delete files it still needs: ${describeError(error)}`,
        ),
      )
  }, renewEveryMs)
  renewal.unref()
  return {
    async release() {
      clearInterval(renewal)
      await db.deleteFrom('deletion_holds').where('id', '=', id).execute()
    },
  }
}
