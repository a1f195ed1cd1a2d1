import type { Db } from '../../../platform/db/pool.ts'
import * as queries from './email-changes.queries.ts'

/**
 * What was asked for is taken back; its link is worth nothing. So it is with every new password, and when others are
 * signed out: whoever asked may have been a stranger.
 */
export const dropEmailChange: (db: Db, userId: string) => Promise<void> = queries.deletePendingChange
