import { z } from 'zod'
import { type CopyrightClaim, noteIdOf } from '../../../../packages/contract/copyright-claims.ts'
import { errorMessage } from '../../../../packages/contract/errors.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { anonymousViewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { lockVisibleNote } from '../../notes/notes.ts'
import * as queries from './copyright-claims.queries.ts'

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
      if (await lockVisibleNote(tx, anonymousViewer, noteId)) await queries.insertClaim(tx, noteId, claim)
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
  return inTransaction(db, async (tx) => notifyClaimants(jobs, tx, await queries.closeClaimsOfDeletedNotes(tx)))
}
