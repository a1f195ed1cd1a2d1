import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'

const keptDays = 90

/** Whether the mail server of an address has refused it for good, and took nothing for it since. */
export async function isAddressRefused(db: Db, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('refused_addresses')
    .select('refused_at')
    .where('address_sha256', '=', hashAddress(address))
    .executeTakeFirst()
  return row !== undefined
}

export async function markRefused(db: Db, address: string): Promise<void> {
  await db
    .insertInto('refused_addresses')
    .values({ address_sha256: hashAddress(address) })
    .onConflict((conflict) => conflict.column('address_sha256').doUpdateSet({ refused_at: sql<Date>`now()` }))
    .execute()
}

/** A mail has arrived there, or its student wants it to be tried again. */
export async function forgetRefusal(db: Db, address: string): Promise<void> {
  await db.deleteFrom('refused_addresses').where('address_sha256', '=', hashAddress(address)).execute()
}

export async function deleteOldRefusals(db: Db): Promise<void> {
  await db
    .deleteFrom('refused_addresses')
    .where('refused_at', '<', sql<Date>`now() - ${keptDays} * interval '1 day'`)
    .execute()
}

const hashAddress = (address: string) => createHash('sha256').update(address.toLowerCase()).digest()
