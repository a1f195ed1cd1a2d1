import type { Tx } from '../db/pool.ts'

export type AuditEntry = {
  /** Null: whoever has the command line. */
  actorId: string | null
  action: 'role' | 'decision' | 'two-factor-off'
  /** The user or the note it was done to. */
  subjectId: string
  details: Record<string, string>
}

export async function insertEntry(tx: Tx, { actorId, action, subjectId, details }: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit_entries')
    .values({ actor_id: actorId, action, subject_id: subjectId, details: JSON.stringify(details) })
    .execute()
}
