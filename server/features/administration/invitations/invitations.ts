import { randomBytes } from 'node:crypto'
import { errorMessage } from '../../../../packages/contract/errors.ts'
import { type Invitations, invitationDays, invitationsShown } from '../../../../packages/contract/instance-settings.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { hashToken } from '../../../platform/db/secret.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { type Actor, lockActor } from '../../auth/roles/actor.ts'
import { recordAudit } from '../audit/audit.ts'
import { invitationMail } from './invitations.jobs.ts'
import * as queries from './invitations.queries.ts'

const ttlSeconds = invitationDays * 24 * 3600

/**
 * Lets one person register, whoever else may.
 * @returns what the link carries, where nobody is mailed.
 * @throws invitation_waits
 */
export function invite(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  actor: Actor,
  email: string | null,
): Promise<string | null> {
  const token = email === null ? randomBytes(32).toString('base64url') : null
  return inTransaction(db, async (tx) => {
    await lockActor(tx, actor)
    if (email !== null) await refuseInvited(tx, email)
    const tokenHash = token === null ? null : hashToken(token)
    const id = await queries.insertInvitation(tx, { email, tokenHash, ttlSeconds })
    if (email !== null) await jobs.enqueue(tx, invitationMail, { invitationId: id })
    // No address stands in a log that nobody can take it out of.
    const details = { kind: 'invite', by: email === null ? 'link' : 'mail' }
    await recordAudit(tx, { actorId: actor?.id ?? null, action: 'invitation', subjectId: id, details })
    return token
  })
}

/** Of many who invite the same address at once one gets past. */
async function refuseInvited(tx: Tx, email: string): Promise<void> {
  await queries.lockAddress(tx, email)
  if (await queries.isInvited(tx, email)) {
    fail('invitation_waits', { fields: { email: errorMessage('invitation_waits') } })
  }
}

/** Of one invitation: whom it is for has not asked for it. */
const againLimit = { name: 'invitation-again', points: 3, seconds: 24 * 3600 }

/** With the link it has, which is good as long as at the start. @throws invitation_over, rate_limited */
export async function sendInvitationAgain(
  { db, jobs, rateLimits }: Pick<Deps, 'db' | 'jobs' | 'rateLimits'>,
  actor: Viewer,
  id: string,
): Promise<void> {
  await rateLimits.take(againLimit, id)
  await inTransaction(db, async (tx) => {
    await lockActor(tx, actor)
    if (!(await queries.extendInvitation(tx, id, ttlSeconds))) fail('invitation_over')
    await jobs.enqueue(tx, invitationMail, { invitationId: id })
    const details = { kind: 'send again' }
    await recordAudit(tx, { actorId: actor.id, action: 'invitation', subjectId: id, details })
  })
}

/** Nothing happens where it was used, or is too old. */
export function withdrawInvitation(db: Db, actor: Viewer, id: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockActor(tx, actor)
    if (!(await queries.expireInvitation(tx, id))) return
    const details = { kind: 'withdraw' }
    await recordAudit(tx, { actorId: actor.id, action: 'invitation', subjectId: id, details })
  })
}

/** @param after the last one that is held. */
export async function listInvitations(db: Db, after: queries.Place | undefined): Promise<Invitations> {
  const found = await queries.findInvitations(db, after, invitationsShown + 1)
  const invitations = found.slice(0, invitationsShown).map(({ id, email, createdAt, expiresAt, usedAt }) => ({
    _id: id,
    email,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    usedAt: usedAt?.toISOString() ?? null,
  }))
  return { invitations, hasMore: found.length > invitationsShown }
}

/** The invitation that a link carries, while it is good. */
export const findInvitation = (db: Db, token: string): Promise<string | null> =>
  queries.findInvitation(db, hashToken(token))

/** Uses it up, in the transaction that makes the account. @returns false where it is good no more. */
export const consumeInvitation: (tx: Tx, id: string) => Promise<boolean> = queries.markInvitationUsed

const keptDays = 30
export const deleteOldInvitations = (db: Db): Promise<void> => queries.deleteOldInvitations(db, keptDays)
