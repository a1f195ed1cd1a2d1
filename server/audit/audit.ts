import { type AuditPage, auditPageSize } from '../../contract/members.ts'
import type { Db, Tx } from '../db/pool.ts'
import type { Viewer } from '../http/viewer.ts'
import { findNotesById } from '../notes/visible-notes.ts'
import { findNames } from '../users/users.ts'
import * as queries from './audit.queries.ts'

/** Writes down who did what, in the transaction that does it. The database refuses to change or remove an entry. */
export const writeAudit: (tx: Tx, entry: queries.AuditEntry) => Promise<void> = queries.insertEntry

/** With what people and notes are called by now. An entry about a note has no account, and none is looked up for it. */
export async function listAudit(db: Db, viewer: Viewer, before: number | undefined): Promise<AuditPage> {
  const found = await queries.findEntries(db, before, auditPageSize + 1)
  const shown = found.slice(0, auditPageSize)
  const ids = shown.flatMap(({ actorId, subjectId }) => [actorId, subjectId]).filter((id) => id !== null)
  const names = await findNames(db, ids)
  const notes = await findNotesById(db, viewer, ids)
  const titles = new Map(notes.map(({ _id, title }) => [_id, title]))
  const named = (id: string, text: string | undefined) => ({ _id: id, ...(text !== undefined && { text }) })
  const entries = shown.map(({ number, at, actorId, action, subjectId, details }) => {
    const actorName = actorId === null ? undefined : names.get(actorId)
    return {
      number,
      at: at.toISOString(),
      actor: actorId === null ? null : { _id: actorId, ...(actorName !== undefined && { name: actorName }) },
      action,
      subject: subjectId === null ? null : named(subjectId, names.get(subjectId) ?? titles.get(subjectId)),
      details,
    }
  })
  return { entries, hasMore: found.length > auditPageSize }
}
