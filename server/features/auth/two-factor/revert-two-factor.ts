import type { Tx } from '../../../platform/db/pool.ts'
import * as queries from './two-factor.queries.ts'

/**
 * Two-factor login as it was before a moment, as far as it has been turned on or given other recovery codes since then:
 * a stranger's app opens nothing. What was on before stays on, since a mailbox alone must not turn it off.
 */
export const revertTwoFactorSince: (tx: Tx, userId: string, moment: Date) => Promise<void> = queries.deleteSince
