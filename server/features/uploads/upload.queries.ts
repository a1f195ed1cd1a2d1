import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inSeconds } from '../../platform/db/sql.ts'

/**
 * @returns when the first request of an upload was saved. Concurrent requests of one upload wait here for each other.
 */
export async function beginBatch(tx: Tx, userId: string, batch: string): Promise<Date> {
  const { began_at } = await tx
    .insertInto('upload_batches')
    .values({ user_id: userId, id: batch })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'id']).doUpdateSet((row) => ({ began_at: row.ref('upload_batches.began_at') })),
    )
    .returning('began_at')
    .executeTakeFirstOrThrow()
  return began_at
}

export type BatchFile = { sha256: Buffer | null; noteId: string | null }

/** Returns the settled files in order of position. */
export async function findBatchFiles(
  tx: Tx,
  userId: string,
  batch: string,
  position: number,
  count: number,
): Promise<BatchFile[]> {
  return await tx
    .selectFrom('batch_files')
    .select(['sha256', 'note_id as noteId'])
    .where('user_id', '=', userId)
    .where('batch_id', '=', batch)
    .where('position', '>=', position)
    .where('position', '<', position + count)
    .orderBy('position')
    .execute()
}

export async function insertBatchFiles(
  tx: Tx,
  userId: string,
  batch: string,
  position: number,
  files: BatchFile[],
): Promise<void> {
  const rows = files.map(({ sha256, noteId }, at) => ({ position: position + at, sha256, note_id: noteId }))
  await tx
    .insertInto('batch_files')
    .values(rows.map((row) => ({ user_id: userId, batch_id: batch, ...row })))
    .execute()
}

/** Returns the creation time of rows that this transaction inserts. */
export async function readTransactionTime(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT now()::timestamptz(3) AS now`.execute(tx)
  return rows[0]?.now ?? new Date()
}

/** No client retries an upload after this time. */
export async function deleteOldBatches(db: Db): Promise<void> {
  await db
    .deleteFrom('upload_batches')
    .where('began_at', '<', inSeconds(-24 * 3600))
    .execute()
}
