import type { Db } from '../../../platform/db/pool.ts'
import * as queries from './email-changes.queries.ts'

/**
 * Voids a pending change and its link. New passwords and sign-outs of other devices void it as well, because a stranger
 * may have requested it.
 */
export const cancelEmailChange: (db: Db, userId: string) => Promise<void> = queries.deletePendingChange
