import { sql } from 'kysely'
import type { Db } from '../../../platform/db/pool.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { ownNotes } from '../../notes/visible-notes.ts'
import { type ActiveSuspension, isActive } from './suspensions.queries.ts'

/** `noteTitle`: the note of a suspension behind a note; only its owner may see it. */
type OwnSuspension = ActiveSuspension & { noteTitle: string | null }

/**
 * Returns the user's active suspension that ends last, of the account itself or through one of its notes. A caller that
 * starts something for the user must lock the user first.
 */
export async function findActiveSuspension(db: Db, userId: string): Promise<OwnSuspension | null> {
  const { rows } = await sql<OwnSuspension>`
    SELECT until, reason, note_title AS "noteTitle" FROM (
      SELECT until, reason, NULL AS note_title FROM suspensions WHERE user_id = ${userId}
       UNION ALL
      SELECT s.until, s.reason, n.title FROM note_author_suspensions s
        JOIN ${ownNotes({ id: userId, role: 'student' })} n ON n.id = s.note_id) s
     WHERE ${isActive} ORDER BY until DESC NULLS FIRST LIMIT 1`.execute(db)
  return rows[0] ?? null
}

/** Formats the end for users: `until 3 May 2027 (UTC)`. */
export const describeUntil = (until: Date | null): string =>
  until
    ? `until ${until.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })} (UTC)`
    : 'until an admin lifts it'

/**
 * Rejects an action that is closed to suspended users.
 * @throws account_suspended; unauthorized if it has ended, because a new login starts another session.
 */
export async function throwSuspended(db: Db, userId: string): Promise<never> {
  const { until, reason } = (await findActiveSuspension(db, userId)) ?? fail('unauthorized')
  fail('account_suspended', { values: { until: describeUntil(until), reason } })
}
