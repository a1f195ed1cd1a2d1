import { sql } from 'kysely'
import type { CopyrightClaim } from '../../../../packages/contract/copyright-claims.ts'
import type { Rule } from '../../../../packages/contract/moderation-rules.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'

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
export async function insertClaim(
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

/** @returns the ids of the closed claims, whose senders must get a mail. */
export function closeClaims(tx: Tx, noteId: string): Promise<string[]> {
  return close(tx, sql`note_id = ${noteId}`)
}

/** Closes the claims on deleted notes. */
export const closeClaimsOfDeletedNotes = (tx: Tx): Promise<string[]> => close(tx, sql`note_id IS NULL`)

async function close(tx: Tx, condition: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE copyright_claims SET decided_at = now() WHERE decided_at IS NULL AND ${condition} RETURNING id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** `noteId`: the claimed note, which may have been deleted. */
export type Claimant = { name: string; email: string; noteId: string | null }

export async function findClaim(db: Db, id: string): Promise<Claimant | null> {
  const claims = db.selectFrom('copyright_claims').select(['name', 'email', 'claimed_note_id as noteId'])
  return (await claims.where('id', '=', id).executeTakeFirst()) ?? null
}

/** A mail server may be unavailable for two days after the decision. */
export async function deleteOldClaims(db: Db): Promise<void> {
  await sql`DELETE FROM copyright_claims WHERE decided_at < now() - interval '30 days'`.execute(db)
}
