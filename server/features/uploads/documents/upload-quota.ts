import { sql } from 'kysely'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inSeconds } from '../../../platform/db/sql.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { describeError } from '../../../platform/observability/log.ts'
import { findUser, lockUser } from '../../accounts/users/users.ts'
import { recordAudit } from '../../administration/audit/audit.ts'
import { findDailyUploadMb } from '../../administration/instance-settings/instance-settings.ts'
import { type Actor, lockActor } from '../../auth/roles/roles.ts'

const maxConcurrentUploads = 2
/** An upload whose server crashed counts towards its user's limit for this long. */
const leaseSeconds = 15
const renewEveryMs = 5_000

/** The expected total size of the files, derived from the request headers. */
export type ExpectedBytes = { minBytes: number; maxBytes: number }

/** A quota reservation. It expires unless it is renewed. */
export type QuotaReservation = {
  /**
   * Commits the reservation. Call this inside the transaction that stores the files; from then on their bytes count.
   * @throws daily_upload_limit, upload_over_daily_limit if the files exceed the remaining quota
   */
  commit(tx: Tx, keptBytes: number): Promise<void>
  /**
   * Releases the reservation unless it was committed. Never rejects, because the reservation also expires on its own.
   */
  release(): Promise<void>
}

/**
 * Reserves quota before the body is read. Each user may have two concurrent uploads and a number of bytes in 24 hours,
 * counted across all servers.
 * @throws too_many_uploads, daily_upload_limit, upload_over_daily_limit
 */
export async function reserveQuota(
  { db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>,
  userId: string,
  announced: ExpectedBytes,
): Promise<QuotaReservation> {
  if (!config.rateLimit) return { commit: async () => {}, release: async () => {} }
  const { id } = await inTransaction(db, async (tx) => {
    // Requests of one user are serialised; otherwise two of them could take the last slot.
    await lockUser(tx, userId)
    const { underWay, bytes } = await countUploads(tx, userId)
    const maxMb = await findDailyMb(tx, config, userId)
    const leftBytes = maxMb * 2 ** 20 - bytes
    if (underWay >= maxConcurrentUploads)
      fail('too_many_uploads', { values: { max: maxConcurrentUploads }, retryAfterSeconds: 5 })
    const neededBytes = Math.max(1, announced.minBytes)
    if (neededBytes > leftBytes) await refuse(tx, userId, maxMb, neededBytes)
    const bytesReserved = Math.min(announced.maxBytes, leftBytes)
    return tx
      .insertInto('uploads')
      .values({ user_id: userId, bytes: bytesReserved, lease_expires_at: leaseEnd })
      .returning('id')
      .executeTakeFirstOrThrow()
  })

  const renewal = setInterval(() => {
    const renewed = db.updateTable('uploads').set({ lease_expires_at: leaseEnd }).where('id', '=', id)
    renewed.where('lease_expires_at', 'is not', null).execute().catch(warn)
  }, renewEveryMs).unref()
  // This is expected while the database is unavailable or the server shuts down; the reservation then expires.
  const warn = (error: unknown) => log.warn({ reason: describeError(error) }, 'Couldn’t save a quota reservation')

  return {
    async commit(tx, keptBytes) {
      await lockUser(tx, userId)
      const { keptBytes: keptBefore } = await countUploads(tx, userId)
      const maxMb = await findDailyMb(tx, config, userId)
      if (keptBefore + keptBytes > maxMb * 2 ** 20) await refuse(tx, userId, maxMb, keptBytes)
      await tx.updateTable('uploads').set({ bytes: keptBytes, lease_expires_at: null }).where('id', '=', id).execute()
    },
    async release() {
      clearInterval(renewal)
      const settledNothing = db.deleteFrom('uploads').where('id', '=', id).where('lease_expires_at', 'is not', null)
      await settledNothing.execute().catch(warn)
    },
  }
}

/**
 * Counts the stored text of a new document towards its author's quota, unless the author has left. Reading the file
 * again later counts nothing. The state is not compared with `=`, for the reason of `isWaiting` in
 * `processing.queries.ts`.
 */
export async function countText(tx: Tx, documentId: string, bytes: number): Promise<void> {
  await sql`
    INSERT INTO uploads (user_id, bytes)
    SELECT n.user_id, ${bytes} FROM notes n JOIN documents d ON d.id = n.document_id
     WHERE d.id = ${documentId} AND n.user_id IS NOT NULL AND d.text_state IS NOT DISTINCT FROM 'pending'
       AND n.created_at > ${dayAgo} AND ${bytes} > 0`.execute(tx)
}

/** Returns the user's own quota, else that of the instance; never more than the environment allows. */
async function findDailyMb(tx: Tx, { maxUploadMbPerDay }: Deps['config'], userId: string): Promise<number> {
  const given = (await findOwnDailyMb(tx, userId)) ?? (await findDailyUploadMb(tx)) ?? maxUploadMbPerDay
  return Math.min(given, maxUploadMbPerDay)
}

/** Returns null if the user has no quota of their own. */
export async function findOwnDailyMb(db: Db, userId: string): Promise<number | null> {
  const row = await db.selectFrom('upload_quotas').select('daily_mb').where('user_id', '=', userId).executeTakeFirst()
  return row?.daily_mb ?? null
}

/** Deletes uploads that no longer count. */
export async function deleteOldUploads(db: Db): Promise<void> {
  await db
    .deleteFrom('uploads')
    .where('started_at', '<', dayAgo)
    .where((row) => row.or([row('lease_expires_at', 'is', null), row('lease_expires_at', '<', sql<Date>`now()`)]))
    .execute()
}

const dayAgo = sql<Date>`(${inSeconds(-24 * 3600)})`
const leaseEnd = inSeconds(leaseSeconds)

/** @throws upload_over_daily_limit if it exceeds any day's quota, else daily_upload_limit with the waiting time */
async function refuse(tx: Tx, userId: string, maxMb: number, neededBytes: number): Promise<never> {
  const leftBytes = maxMb * 2 ** 20 - neededBytes
  if (leftBytes < 0) fail('upload_over_daily_limit', { values: { maxMb } })
  // Finds the newest upload that must expire before this one fits. Uploads in progress are ignored, because they end
  // soon.
  const { rows } = await sql<{ seconds: number | null }>`
    SELECT ceil(extract(epoch FROM max(started_at) - ${dayAgo}))::integer AS seconds
      FROM (SELECT started_at, sum(bytes) OVER (ORDER BY started_at DESC, id) AS newer_bytes
              FROM uploads WHERE user_id = ${userId} AND lease_expires_at IS NULL AND started_at > ${dayAgo}) u
     WHERE newer_bytes > ${leftBytes}`.execute(tx)
  return fail('daily_upload_limit', { values: { maxMb }, retryAfterSeconds: rows[0]?.seconds ?? 60 })
}

function countUploads(tx: Tx, userId: string) {
  return tx
    .selectFrom('uploads')
    .select([
      sql<number>`count(*) FILTER (WHERE lease_expires_at IS NOT NULL)`.as('underWay'),
      sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'),
      sql<number>`coalesce(sum(bytes) FILTER (WHERE lease_expires_at IS NULL), 0)::bigint`.as('keptBytes'),
    ])
    .where('user_id', '=', userId)
    .where(sql<boolean>`(lease_expires_at IS NULL AND started_at > ${dayAgo} OR lease_expires_at > now())`)
    .executeTakeFirstOrThrow()
}

/** For FROM: users with their own quota, which `upload-quota.ts` applies. */
export const uploadQuotas = sql<{ user_id: string; daily_mb: number }>`(SELECT user_id, daily_mb FROM upload_quotas)`

/** @param dailyMb null: the quota of the instance. @throws member_not_found */
export function changeQuota(db: Db, actor: Actor, userId: string, dailyMb: number | null): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockActor(tx, actor, [userId])
    if (!(await findUser(tx, { id: userId }))) fail('member_not_found')
    await tx.deleteFrom('upload_quotas').where('user_id', '=', userId).execute()
    if (dailyMb !== null) await tx.insertInto('upload_quotas').values({ user_id: userId, daily_mb: dailyMb }).execute()
    await recordAudit(tx, actor, 'quota', userId, { mb: String(dailyMb ?? 'as all') })
  })
}
