import type { Tx } from '../db/pool.ts'
import * as queries from './audit.queries.ts'

/** Writes down who did what, in the transaction that does it. The database refuses to change or remove an entry. */
export const writeAudit: (tx: Tx, entry: queries.AuditEntry) => Promise<void> = queries.insertEntry
