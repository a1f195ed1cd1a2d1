import { sql } from 'kysely'
import type { AuditAction } from '../../../../packages/contract/members.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'

export type AuditEntry = {
  /** Null is the operator at the command line. */
  actorId: string | null
  action: AuditAction
  /** The affected user, note or invitation. Null is the whole instance. */
  subjectId: string | null
  details: Record<string, string>
}

export async function insertEntry(tx: Tx, { actorId, action, subjectId, details }: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit_entries')
    .values({ actor_id: actorId, action, subject_id: subjectId, details: JSON.stringify(details) })
    .execute()
}

export type Entry = AuditEntry & { number: number; at: Date }

/** The newest entry comes first. */
export async function findEntries(db: Db, before: number | undefined, limit: number): Promise<Entry[]> {
  let select = db
    .selectFrom('audit_entries')
    .select(['number', 'at', 'actor_id as actorId', 'action', 'subject_id as subjectId', 'details'])
    .orderBy('number', 'desc')
    .limit(sql.lit(limit))
  if (before !== undefined) select = select.where('number', '<', before)
  return (await select.execute()) as Entry[]
}
