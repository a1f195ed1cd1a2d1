import type { Tx } from '../../../platform/db/pool.ts'
import * as queries from './passkeys.queries.ts'

/** Call this after "Secure my account" and when an account is deleted, so that no passkey can log in. */
export const deleteAllPasskeys: (tx: Tx, userId: string) => Promise<void> = queries.deletePasskeysOf
