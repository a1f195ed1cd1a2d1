import type { Tx } from '../../../platform/db/pool.ts'
import * as queries from './two-factor.queries.ts'

/**
 * Deletes what was added to two-factor login since a moment, also new recovery codes, because a stranger may have added
 * it. A secret from before stays, because access to the mailbox alone must not turn it off.
 */
export const revertTwoFactorSince: (tx: Tx, userId: string, moment: Date) => Promise<void> = queries.deleteSince
