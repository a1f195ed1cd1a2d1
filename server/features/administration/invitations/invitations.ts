import { randomBytes } from 'node:crypto'
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
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { type Actor, lockActor } from '../../auth/roles/roles.ts'
import { recordAudit } from '../audit/audit.ts'
import * as queries from './invitations.queries.ts'

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
    const id = await queries.insertInvitation(tx, { email, tokenHash, ttlSeconds })
    if (email !== null) await jobs.enqueue(tx, invitationMailJob, { invitationId: id })
    // The details omit the address, because entries of the audit log cannot be deleted.
    await recordAudit(tx, actor, 'invitation', id, { kind: 'invite', by: email === null ? 'link' : 'mail' })
    return token
  })
}

/** Of parallel invitations of one address, only one succeeds. */
async function assertNotInvited(tx: Tx, email: string): Promise<void> {
  await queries.lockAddress(tx, email)
  if (await queries.isInvited(tx, email)) {
    fail('invitation_waits', { fields: { email: errorMessage('invitation_waits') } })
  }
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
    if (!(await queries.extendInvitation(tx, id, ttlSeconds))) fail('invitation_over')
    await jobs.enqueue(tx, invitationMailJob, { invitationId: id })
    await recordAudit(tx, actor, 'invitation', id, { kind: 'send again' })
  })
}

/** Does nothing when the invitation was used or has expired. */
export function revokeInvitation(db: Db, actor: Viewer, id: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockActor(tx, actor)
    if (!(await queries.expireInvitation(tx, id))) return
    await recordAudit(tx, actor, 'invitation', id, { kind: 'withdraw' })
  })
}

/** @param after the last invitation that the caller has. */
export async function listInvitations(db: Db, after: queries.Place | undefined): Promise<Invitations> {
  const found = await queries.findInvitations(db, after, invitationPageSize + 1)
  const invitations = found.slice(0, invitationPageSize).map(({ id, email, createdAt, expiresAt, usedAt }) => ({
    _id: id,
    email,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
  }))
  return { invitations, hasMore: found.length > invitationPageSize }
}

/** Returns the id of the token's invitation while it is valid. */
export const findInvitation = (db: Db, token: string): Promise<string | null> =>
  queries.findInvitation(db, hashToken(token))

export const { consumeInvitation } = queries
