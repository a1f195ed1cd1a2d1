import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { errorMessage } from '../../../../packages/contract/errors.ts'
import {
  type Invitations,
  invitationDays,
  invitationPageSize,
} from '../../../../packages/contract/instance-settings.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { hasChangedRow, inSeconds } from '../../../platform/db/sql.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { type Actor, lockActor } from '../../auth/roles/roles.ts'
import { recordAudit } from '../audit/audit.ts'

export const invitationMailJob = defineJob('invitation-mail', z.object({ invitationId: z.uuid() }), { concurrency: 2 })

const ttlSeconds = invitationDays * 24 * 3600

/**
 * Lets one person register regardless of the registration policy.
 * @returns the token of the link when no mail is sent.
 * @throws invitation_waits
 */
export function createInvitation(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  actor: Actor,
  email: string | null,
): Promise<string | null> {
  const token = email === null ? randomBytes(32).toString('base64url') : null
  return inTransaction(db, async (tx) => {
    await lockActor(tx, actor)
    if (email !== null) await assertNotInvited(tx, email)
    const tokenHash = token === null ? null : hashToken(token)
    const { id } = await tx
      .insertInto('invitations')
      .values({ email, token_hash: tokenHash, expires_at: inSeconds(ttlSeconds) })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (email !== null) await jobs.enqueue(tx, invitationMailJob, { invitationId: id })
    // The details omit the address, because entries of the audit log cannot be deleted.
    await recordAudit(tx, actor, 'invitation', id, { kind: 'invite', by: email === null ? 'link' : 'mail' })
    return token
  })
}

/** Other invitations of this address wait until the transaction ends. */
async function assertNotInvited(tx: Tx, email: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${email}, 0))`.execute(tx)
  const found = tx.selectFrom('invitations').select('id').where('email', '=', email).where(isValid).limit(1)
  if (await found.executeTakeFirst()) fail('invitation_waits', { fields: { email: errorMessage('invitation_waits') } })
}

/** The limit applies per invitation, because its recipient did not request it. */
const againLimit = { name: 'invitation-again', points: 3, seconds: 24 * 3600 }

/** Mails the same link, which gets its full lifetime again. @throws invitation_over, rate_limited */
export async function resendInvitation(
  { db, jobs, rateLimits }: Pick<Deps, 'db' | 'jobs' | 'rateLimits'>,
  actor: Viewer,
  id: string,
): Promise<void> {
  await rateLimits.consume(againLimit, id)
  await inTransaction(db, async (tx) => {
    await lockActor(tx, actor)
    const extension = tx
      .updateTable('invitations')
      .set({ expires_at: inSeconds(ttlSeconds) })
      .where('id', '=', id)
      .where('email', 'is not', null)
      .where(isValid)
    if (!(await hasChangedRow(extension))) fail('invitation_over')
    await jobs.enqueue(tx, invitationMailJob, { invitationId: id })
    await recordAudit(tx, actor, 'invitation', id, { kind: 'send again' })
  })
}

/** Does nothing when the invitation has expired. @throws invitation_over when it was used, so that there is an account */
export function revokeInvitation(db: Db, actor: Viewer, id: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockActor(tx, actor)
    const expiry = tx.updateTable('invitations').set({ expires_at: sql<Date>`now()` }).where('id', '=', id)
    if (await hasChangedRow(expiry.where(isValid)))
      return recordAudit(tx, actor, 'invitation', id, { kind: 'withdraw' })
    const used = tx.selectFrom('invitations').select('id').where('id', '=', id).where('used_at', 'is not', null)
    if (await used.executeTakeFirst()) fail('invitation_over')
  })
}

type Place = [state: 'waiting' | 'used', createdAt: string, id: string]

/** Valid invitations come before used ones, the newest first. @param after the last invitation that the caller has. */
export async function listInvitations(db: Db, after: Place | undefined): Promise<Invitations> {
  let select = db
    .selectFrom('invitations')
    .select(['id', 'email', 'created_at as createdAt', 'expires_at as expiresAt', 'used_at as usedAt'])
    .where(sql<boolean>`(used_at IS NOT NULL OR expires_at > now())`)
    .orderBy(sql`used_at IS NOT NULL`)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(sql.lit(invitationPageSize + 1))
  if (after) {
    const [state, createdAt, id] = after
    const isUsed = state === 'used'
    select = select.where(
      sql<boolean>`((used_at IS NOT NULL) > ${isUsed} OR (used_at IS NOT NULL) = ${isUsed}
        AND (created_at < ${createdAt} OR created_at = ${createdAt} AND id > ${id}))`,
    )
  }
  const found = await select.execute()
  const invitations = found.slice(0, invitationPageSize).map(({ id, email, createdAt, expiresAt, usedAt }) => ({
    _id: id,
    email,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
  }))
  return { invitations, hasMore: found.length > invitationPageSize }
}

const isValid = sql<boolean>`(used_at IS NULL AND expires_at > now())`

/** An invitation withdrawn or used meanwhile is not mailed. @returns the address to mail it to. */
export async function saveToken(db: Db, id: string, tokenHash: Buffer): Promise<string | null> {
  const row = await db
    .updateTable('invitations')
    .set({ token_hash: tokenHash })
    .where('id', '=', id)
    .where(isValid)
    .returning('email')
    .executeTakeFirst()
  return row?.email ?? null
}

/** Returns the id of the token's invitation while it is valid. */
export async function findInvitation(db: Db, token: string): Promise<string | null> {
  const row = await db
    .selectFrom('invitations')
    .select('id')
    .where('token_hash', '=', hashToken(token))
    .where(isValid)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Of parallel callers, only one gets true. Call this in the transaction that creates the account. */
export function consumeInvitation(tx: Tx, id: string): Promise<boolean> {
  return hasChangedRow(
    tx.updateTable('invitations').set({ used_at: sql<Date>`now()` }).where('id', '=', id).where(isValid),
  )
}

export async function deleteOldInvitations(db: Db): Promise<void> {
  await sql`DELETE FROM invitations WHERE expires_at < now() - interval '30 days'`.execute(db)
}
