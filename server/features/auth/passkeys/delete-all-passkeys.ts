import type { Tx } from '../../../platform/db/pool.ts'
import * as queries from './passkeys.queries.ts'

/** Nobody logs in with any of them any more: of who has said "this was not me", and of who leaves. */
export const deleteAllPasskeys: (tx: Tx, userId: string) => Promise<void> = queries.deletePasskeysOf
