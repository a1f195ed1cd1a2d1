import { sql } from 'kysely'
import { z } from 'zod'
import { type CopyrightClaim, noteIdOf } from '../../../../packages/contract/copyright-claims.ts'
import { errorMessage } from '../../../../packages/contract/errors.ts'
import type { Rule } from '../../../../packages/contract/moderation-rules.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { anonymousViewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { lockVisibleNote } from '../../notes/notes.ts'

/** The mail to the claimant. Without a decision it reports that the note was deleted. */
export const claimMailJob = defineJob('claim-mail', z.object({ claimId: z.uuid(), decision: z.optional(z.int()) }), {
  concurrency: 2,
})

/** Applies to the same text about the same note from the same address, whichever client sends it. */
const sameClaim = { name: 'same-claim', points: 1, seconds: 24 * 3600 }

/**
 * A claim on a note that does not exist is not stored, and its response is the same: a client without an account must
 * not learn which notes exist.
 * @throws claim_sent
 */
export async function submitCopyrightClaim(
  { db, rateLimits }: Pick<Deps, 'db' | 'rateLimits'>,
  claim: CopyrightClaim,
): Promise<void> {
  // Only a bot fills in this hidden field.
  if (claim.website) return
  const noteId = noteIdOf(claim.note)
  const words = JSON.stringify([noteId, claim.email, claim.text])
  if (!(await rateLimits.tryConsume(sameClaim, words)))
    fail('claim_sent', { fields: { text: errorMessage('claim_sent') } })
  try {
    await inTransaction(db, async (tx) => {
      if (await lockVisibleNote(tx, anonymousViewer, noteId)) await insertClaim(tx, noteId, claim)
    })
  } catch (failure) {
    await rateLimits.reset(sameClaim, words)
    throw failure
  }
}

/** Enqueues mails to the senders of claims that were closed. */
export async function notifyClaimants(
  jobs: Deps['jobs'],
  tx: Tx,
  claimIds: string[],
  decision?: number,
): Promise<void> {
  for (const claimId of claimIds) {
    await jobs.enqueue(tx, claimMailJob, { claimId, ...(decision !== undefined && { decision }) })
  }
}

/** Closes claims on notes that their owners deleted, and informs the claimants. */
export function notifyClaimantsOfDeletedNotes({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  return inTransaction(db, async (tx) => notifyClaimants(jobs, tx, await closeClaims(tx, null)))
}

/**
 * For FROM: open claims in the columns of reports. The claimants' addresses are used only in this file and for mails.
 */
export const openClaims = sql<{
  note_id: string
  rule: Rule
  text: string | null
  reported_at: Date
  claimant: string
}>`(
  SELECT note_id, 'copyright' AS rule, text, claimed_at AS reported_at, name AS claimant FROM copyright_claims
   WHERE decided_at IS NULL AND note_id IS NOT NULL)`

/** A claim with the same text, note and address is not inserted again while it is open. */
async function insertClaim(
  tx: Tx,
  noteId: string,
  { name, email, text }: Pick<CopyrightClaim, 'name' | 'email' | 'text'>,
): Promise<void> {
  await sql`
    INSERT INTO copyright_claims (note_id, claimed_note_id, name, email, text)
    SELECT ${noteId}, ${noteId}, ${name}, ${email}, ${text}
     WHERE NOT EXISTS (
       SELECT FROM copyright_claims
        WHERE note_id = ${noteId} AND email = ${email} AND text = ${text} AND decided_at IS NULL)`.execute(tx)
}

/** @param noteId null closes those on deleted notes. @returns the ids of the claims, whose senders must get a mail. */
export async function closeClaims(tx: Tx, noteId: string | null): Promise<string[]> {
  const isMeant = noteId === null ? sql`note_id IS NULL` : sql`note_id = ${noteId}`
  const { rows } = await sql<{ id: string }>`
    UPDATE copyright_claims SET decided_at = now() WHERE decided_at IS NULL AND ${isMeant} RETURNING id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** `noteId`: the claimed note, which may have been deleted. */
type Claimant = { name: string; email: string; noteId: string | null }

export async function findClaim(db: Db, id: string): Promise<Claimant | null> {
  const claims = db.selectFrom('copyright_claims').select(['name', 'email', 'claimed_note_id as noteId'])
  return (await claims.where('id', '=', id).executeTakeFirst()) ?? null
}

/** A mail server may be unavailable for two days after the decision. */
export async function deleteOldClaims(db: Db): Promise<void> {
  await sql`DELETE FROM copyright_claims WHERE decided_at < now() - interval '30 days'`.execute(db)
}
