import { sql } from 'kysely'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inSeconds } from '../../../platform/db/time.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { describeError } from '../../../platform/observability/log.ts'
import { lockUser } from '../../accounts/users/users.ts'
import { findDailyUploadMb } from '../../administration/instance-settings/instance-settings.ts'

const maxConcurrentUploads = 2
/** An upload whose server died stands in its student's way this long. */
const leaseSeconds = 15
const renewEveryMs = 5_000

/** What the files of an upload will come to, as far as its headers tell. */
export type ExpectedBytes = { atLeast: number; atMost: number }

/** Leave to upload, while it lasts. */
export type QuotaReservation = {
  /**
   * Call inside the transaction that keeps the files. From then on they count, and the upload is over.
   * @throws daily_upload_limit, upload_over_daily_limit when they came to more than was left
   */
  settle(tx: Tx, keptBytes: number): Promise<void>
  /** An upload that was not settled counts for nothing. Never rejects: leave runs out by itself. */
  giveBack(): Promise<void>
}

/**
 * Asks for leave to upload, before the body is read: two at once for each student, and so many bytes in 24 hours,
 * whatever server they reach.
 * @throws too_many_uploads, daily_upload_limit, upload_over_daily_limit
 */
export async function reserveQuota(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  userId: string,
  announced: ExpectedBytes,
): Promise<QuotaReservation> {
  if (!config.rateLimit) return { settle: async () => {}, giveBack: async () => {} }
  const id = await inTransaction(db, async (tx) => {
    // One request of a student after the other, or two would find the last place free.
    await lockUser(tx, userId)
    const { underWay, bytes } = await countUploads(tx, userId)
    const maxMb = await findDailyMb(tx, config, userId)
    const leftBytes = maxMb * 2 ** 20 - bytes
    if (underWay >= maxConcurrentUploads)
      fail('too_many_uploads', { values: { max: maxConcurrentUploads }, retryAfterSeconds: 5 })
    const neededBytes = Math.max(1, announced.atLeast)
    if (neededBytes > leftBytes) await refuse(tx, userId, maxMb, neededBytes)
    return insertUpload(tx, userId, Math.min(announced.atMost, leftBytes))
  })

  const renewal = setInterval(() => {
    const renewed = db.updateTable('uploads').set({ under_way_until: leaseEnd }).where('id', '=', id)
    renewed.where('under_way_until', 'is not', null).execute().catch(warn)
  }, renewEveryMs).unref()
  // Expected where the database is away, and where the server ends under an upload: the lease then runs out.
  const warn = (error: unknown) =>
    log.warn({ reason: describeError(error) }, 'The row of an upload under way could not be written')

  return {
    async settle(tx, keptBytes) {
      await lockUser(tx, userId)
      const { keptBytes: keptBefore } = await countUploads(tx, userId)
      const maxMb = await findDailyMb(tx, config, userId)
      if (keptBefore + keptBytes > maxMb * 2 ** 20) await refuse(tx, userId, maxMb, keptBytes)
      await tx.updateTable('uploads').set({ bytes: keptBytes, under_way_until: null }).where('id', '=', id).execute()
    },
    async giveBack() {
      clearInterval(renewal)
      const settledNothing = db.deleteFrom('uploads').where('id', '=', id).where('under_way_until', 'is not', null)
      await settledNothing.execute().catch(warn)
    },
  }
}

/** Counts the stored text of a new document towards its author's quota. Reading the file again later counts nothing. */
export async function countText(tx: Tx, documentId: string, bytes: number): Promise<void> {
  await sql`
    INSERT INTO uploads (user_id, bytes)
    SELECT n.user_id, ${bytes} FROM notes n JOIN documents d ON d.id = n.document_id
     WHERE d.id = ${documentId} AND d.text_state = 'waiting' AND n.created_at > ${dayAgo} AND ${bytes} > 0`.execute(tx)
}

/** What somebody may upload in 24 hours: their own quota, else that of all; never more than the environment says. */
async function findDailyMb(tx: Tx, { maxUploadMbPerDay }: Deps['config'], userId: string): Promise<number> {
  const given = (await findOwnDailyMb(tx, userId)) ?? (await findDailyUploadMb(tx)) ?? maxUploadMbPerDay
  return Math.min(given, maxUploadMbPerDay)
}

/** Null where there is none for this student alone. */
export async function findOwnDailyMb(db: Db, userId: string): Promise<number | null> {
  const row = await db.selectFrom('upload_quotas').select('daily_mb').where('user_id', '=', userId).executeTakeFirst()
  return row?.daily_mb ?? null
}

/** Uploads that count no more. */
export async function deleteOldUploads(db: Db): Promise<void> {
  await db
    .deleteFrom('uploads')
    .where('started_at', '<', dayAgo)
    .where((row) => row.or([row('under_way_until', 'is', null), row('under_way_until', '<', sql<Date>`now()`)]))
    .execute()
}

const dayAgo = sql<Date>`(${inSeconds(-24 * 3600)})`
const leaseEnd = inSeconds(leaseSeconds)

/** @throws upload_over_daily_limit for what is too much on any day, else daily_upload_limit with the time when it fits */
async function refuse(tx: Tx, userId: string, maxMb: number, neededBytes: number): Promise<never> {
  const leftBytes = maxMb * 2 ** 20 - neededBytes
  if (leftBytes < 0) fail('upload_over_daily_limit', { values: { maxMb } })
  // The newest upload that counts no more by then. Others may be under way, and end soon.
  const { rows } = await sql<{ seconds: number | null }>`
    SELECT ceil(extract(epoch FROM max(started_at) - ${dayAgo}))::integer AS seconds
      FROM (SELECT started_at, sum(bytes) OVER (ORDER BY started_at DESC, id) AS newer_bytes
              FROM uploads WHERE user_id = ${userId} AND under_way_until IS NULL AND started_at > ${dayAgo}) u
     WHERE newer_bytes > ${leftBytes}`.execute(tx)
  return fail('daily_upload_limit', { values: { maxMb }, retryAfterSeconds: rows[0]?.seconds ?? 60 })
}

function countUploads(tx: Tx, userId: string) {
  return tx
    .selectFrom('uploads')
    .select([
      sql<number>`count(*) FILTER (WHERE under_way_until IS NOT NULL)`.as('underWay'),
      sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'),
      sql<number>`coalesce(sum(bytes) FILTER (WHERE under_way_until IS NULL), 0)::bigint`.as('keptBytes'),
    ])
    .where('user_id', '=', userId)
    .where(sql<boolean>`(under_way_until IS NULL AND started_at > ${dayAgo} OR under_way_until > now())`)
    .executeTakeFirstOrThrow()
}

async function insertUpload(tx: Tx, userId: string, bytes: number): Promise<string> {
  const { id } = await tx
    .insertInto('uploads')
    .values({ user_id: userId, bytes, under_way_until: leaseEnd })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
