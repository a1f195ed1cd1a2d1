import { z } from 'zod'
import { type CopyrightClaim, noteIdOf } from '../../contract/claims.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { withoutAccount } from '../http/viewer.ts'
import { defineJob } from '../jobs/job.ts'
import { holdVisibleNote } from '../notes/notes.ts'
import * as queries from './claims.queries.ts'

/** To who claimed. Without a decision: the note is gone. */
export const claimMail = defineJob('claim-mail', z.object({ claimId: z.uuid(), decision: z.optional(z.int()) }), {
  concurrency: 2,
})

/** Of a note that is not there nothing is kept, and nothing else is answered: notes are not told of to who has no account. */
export function claimCopyright(db: Db, claim: CopyrightClaim): Promise<void> {
  // No person has filled that in.
  if (claim.website) return Promise.resolve()
  const noteId = noteIdOf(claim.note)
  return db.transaction().execute(async (tx) => {
    if (await holdVisibleNote(tx, withoutAccount('student'), noteId)) await queries.insertClaim(tx, noteId, claim)
  })
}

/** Has those mailed whose claims are closed by a decision. */
export async function answerClaims(jobs: Deps['jobs'], tx: Tx, claimIds: string[], decision?: number): Promise<void> {
  for (const claimId of claimIds) {
    await jobs.enqueue(tx, claimMail, { claimId, ...(decision !== undefined && { decision }) })
  }
}

/** A note that its owner deleted takes its claims out of the queue: their senders are told, too. */
export function answerOrphans({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Promise<void> {
  return db.transaction().execute(async (tx) => answerClaims(jobs, tx, await queries.closeOrphans(tx)))
}

export const findClaim: (db: Db, id: string) => Promise<{ name: string; email: string } | null> = queries.findClaim

/** After the answer, a mail server may be gone for two days. */
const keptDays = 30
export const deleteOldClaims = (db: Db): Promise<void> => queries.deleteOldClaims(db, keptDays)
