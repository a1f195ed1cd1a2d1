import { sql } from 'kysely'
import { type AuditAction, type AuditPage, auditPageSize } from '../../../../packages/contract/members.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { findAccounts } from '../../accounts/users/users.ts'
import { findNotesById } from '../../notes/visible-notes.ts'

/**
 * Call this in the transaction of the action. The database rejects changes and deletions of entries.
 * @param actor null is the operator at the command line.
 * @param subjectId the affected user, note or invitation; null is the whole instance.
 */
export async function recordAudit(
  tx: Tx,
  actor: { id: string } | null,
  action: AuditAction,
  subjectId: string | null,
  details: Record<string, string>,
): Promise<void> {
  await tx
    .insertInto('audit_entries')
    .values({ actor_id: actor?.id ?? null, action, subject_id: subjectId, details: JSON.stringify(details) })
    .execute()
}

/**
 * Returns the newest entries first, with the current names and titles; emails distinguish users with equal names. An
 * entry about a note has no account, and none is looked up for it.
 */
export async function listAudit(db: Db, viewer: Viewer, before: number | undefined): Promise<AuditPage> {
  let select = db
    .selectFrom('audit_entries')
    .select(['number', 'at', 'actor_id as actorId', 'action', 'subject_id as subjectId', 'details'])
    .orderBy('number', 'desc')
    .limit(sql.lit(auditPageSize + 1))
  if (before !== undefined) select = select.where('number', '<', before)
  const found = await select.execute()
  const shown = found.slice(0, auditPageSize)
  const ids = shown.flatMap(({ actorId, subjectId }) => [actorId, subjectId]).filter((id) => id !== null)
  const accounts = await findAccounts(db, ids)
  const notes = await findNotesById(db, viewer, ids)
  const titles = new Map(notes.map(({ _id, title }) => [_id, title]))
  function describeSubject(id: string): AuditPage['entries'][number]['subject'] {
    const account = accounts.get(id)
    if (account) return { _id: id, text: account.name, email: account.email }
    const title = titles.get(id)
    return { _id: id, ...(title !== undefined && { text: title }) }
  }
  const entries = shown.map(({ number, at, actorId, action, subjectId, details }) => ({
    number,
    at: at.toISOString(),
    actor: actorId === null ? null : { _id: actorId, ...accounts.get(actorId) },
    action: action as AuditAction,
    subject: subjectId === null ? null : describeSubject(subjectId),
    details: details as Record<string, string>,
  }))
  return { entries, hasMore: found.length > auditPageSize }
}
