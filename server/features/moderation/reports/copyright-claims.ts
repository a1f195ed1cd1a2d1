import { z } from 'zod'
import { type CopyrightClaim, noteIdOf } from '../../../../packages/contract/copyright-claims.ts'
import { errorMessage } from '../../../../packages/contract/errors.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { anonymousViewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { lockVisibleNote } from '../../notes/notes.ts'
import * as queries from './copyright-claims.queries.ts'

/** To who claimed. Without a decision: the note is gone. */
export const claimMail = defineJob('claim-mail', z.object({ claimId: z.uuid(), decision: z.optional(z.int()) }), {
  concurrency: 2,
})

/** The same words for the same note from the same mailbox, whoever sends them. */
const sameClaim = { name: 'same-claim', points: 1, seconds: 24 * 3600 }

/**
 * Of a note that is not there nothing is kept, and nothing else is answered: notes are not told of to who has no account.
 * @throws claim_sent
 */
export async function claimCopyright(
  { db, rateLimits }: Pick<Deps, 'db' | 'rateLimits'>,
  claim: CopyrightClaim,
): Promise<void> {
  // No person has filled that in.
  if (claim.website) return
  const noteId = noteIdOf(claim.note)
  const words = JSON.stringify([noteId, claim.email, claim.text])
  if (!(await rateLimits.allows(sameClaim, words))) fail('claim_sent', { fields: { text: errorMessage('claim_sent') } })
  try {
    await inTransaction(db, async (tx) => {
      if (await lockVisibleNote(tx, anonymousViewer, noteId)) await queries.insertClaim(tx, noteId, claim)
    })
  } catch (failure) {
    await rateLimits.forgive(sameClaim, words)
    throw failure
  }
}

/** Has those mailed whose claims are closed by a decision. */
export async function notifyClaimants(
  jobs: Deps['jobs'],
  tx: Tx,
  claimIds: string[],
  decision?: number,
): Promise<void> {
  for (const claimId of claimIds) {
    await jobs.enqueue(tx, claimMail, { claimId, ...(decision !== undefined && { decision }) })
  }
}

/** A note that its owner deleted takes its claims out of the queue: their senders are told, too. */
export function notifyClaimantsOfDeletedNotes({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  return inTransaction(db, async (tx) => notifyClaimants(jobs, tx, await queries.closeClaimsOfDeletedNotes(tx)))
}

export const findClaim: (db: Db, id: string) => Promise<queries.Claimant | null> = queries.findClaim

/** After the answer, a mail server may be gone for two days. */
const keptDays = 30
export const deleteOldClaims = (db: Db): Promise<void> => queries.deleteOldClaims(db, keptDays)
