import { sql } from 'kysely'
import type { CopyrightClaim } from '../../contract/claims.ts'
import type { Rule } from '../../contract/rules.ts'
import type { Db, Tx } from '../db/pool.ts'

/** For FROM: the same of claims as of reports. Their senders' addresses never leave this file but for a mail. */
export const openClaims = sql<{
  note_id: string
  rule: Rule
  text: string | null
  reported_at: Date
  claimant: string
}>`(
  SELECT note_id, 'copyright' AS rule, text, claimed_at AS reported_at, name AS claimant FROM copyright_claims
   WHERE decided_at IS NULL AND note_id IS NOT NULL)`

export async function insertClaim(
  tx: Tx,
  noteId: string,
  { name, email, text }: Pick<CopyrightClaim, 'name' | 'email' | 'text'>,
): Promise<void> {
  await tx.insertInto('copyright_claims').values({ note_id: noteId, name, email, text }).execute()
}

/** @returns their ids: their senders are to be told. */
export function closeClaims(tx: Tx, noteId: string): Promise<string[]> {
  return close(tx, sql`note_id = ${noteId}`)
}

/** Those whose notes have been deleted. */
export const closeOrphans = (tx: Tx): Promise<string[]> => close(tx, sql`note_id IS NULL`)

async function close(tx: Tx, isMeant: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    UPDATE copyright_claims SET decided_at = now() WHERE decided_at IS NULL AND ${isMeant} RETURNING id`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function findClaim(db: Db, id: string): Promise<{ name: string; email: string } | null> {
  return (
    (await db.selectFrom('copyright_claims').select(['name', 'email']).where('id', '=', id).executeTakeFirst()) ?? null
  )
}

export async function deleteOldClaims(db: Db, days: number): Promise<void> {
  await sql`DELETE FROM copyright_claims WHERE decided_at < now() - ${days} * interval '1 day'`.execute(db)
}
