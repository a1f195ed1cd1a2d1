import { sql } from 'kysely'
import type { RegistrationMode } from '../../../../packages/contract/instance-settings.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'

export type Settings = {
  registration: RegistrationMode
  domains: string[]
  dailyUploadMb: number | null
  announcement: { _id: string; text: string; until: Date } | null
}

const nothingSet: Settings = { registration: 'open', domains: [], dailyUploadMb: null, announcement: null }

/** An expired announcement is returned as null. */
export async function findSettings(db: Db): Promise<Settings> {
  const row = await db
    .selectFrom('instance_settings')
    .select([
      'registration_mode',
      'allowed_email_domains',
      'daily_upload_mb',
      'announcement_id',
      'announcement',
      'announcement_expires_at',
    ])
    .select(sql<boolean>`announcement_expires_at > now()`.as('isAnnounced'))
    .executeTakeFirst()
  if (!row) return nothingSet
  const { announcement_id: _id, announcement: text, announcement_expires_at: until, isAnnounced } = row
  return {
    registration: row.registration_mode as RegistrationMode,
    domains: row.allowed_email_domains,
    dailyUploadMb: row.daily_upload_mb,
    announcement: isAnnounced && _id !== null && text !== null && until !== null ? { _id, text, until } : null,
  }
}

type Columns = {
  registration_mode?: RegistrationMode
  allowed_email_domains?: string[]
  daily_upload_mb?: number | null
  announcement?: { text: string; days: number } | null
}

/** Omitted settings keep their values. */
export async function saveSettings(tx: Tx, { announcement, ...given }: Columns): Promise<void> {
  const announced = announcement && {
    announcement_id: sql<string>`gen_random_uuid()`,
    announcement: announcement.text,
    announcement_expires_at: sql<Date>`now() + ${announcement.days}::integer * interval '1 day'`,
  }
  const taken = { announcement_id: null, announcement: null, announcement_expires_at: null }
  const values = { ...given, ...(announcement === null ? taken : announced) }
  await tx
    .insertInto('instance_settings')
    .defaultValues()
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (Object.keys(values).length > 0) await tx.updateTable('instance_settings').set(values).execute()
}
