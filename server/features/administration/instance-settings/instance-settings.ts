import { sql } from 'kysely'
import type {
  InstanceSettings,
  InstanceSettingsUpdate,
  RegistrationMode,
  RegistrationPolicy,
} from '../../../../packages/contract/instance-settings.ts'
import type { User } from '../../../../packages/contract/profile.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { version } from '../../../platform/db/version.ts'
import { type Actor, lockActor } from '../../auth/roles/roles.ts'
import { recordAudit } from '../audit/audit.ts'

type SettingsDeps = Pick<Deps, 'db' | 'config'>

/** The settings are read whenever they are needed, so a change applies on every server immediately. */
export async function getInstanceSettings({ db, config }: SettingsDeps): Promise<InstanceSettings> {
  const { registration, domains, announcement, dailyUploadMb } = await findSettings(db)
  return {
    registration: { mode: registration, domains },
    announcement: announcement && { ...announcement, until: announcement.until.toISOString() },
    dailyUploadMb,
    maxDailyUploadMb: config.maxUploadMbPerDay,
    version,
  }
}

export function updateInstanceSettings(db: Db, actor: Actor, change: InstanceSettingsUpdate): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockActor(tx, actor)
    await saveSettings(tx, change)
    for (const details of describeChange(change)) {
      await recordAudit(tx, actor, 'settings', null, details)
    }
  })
}

function describeChange({
  registration,
  announcement,
  dailyUploadMb,
}: InstanceSettingsUpdate): Record<string, string>[] {
  const changed: Record<string, string>[] = []
  if (registration) {
    const { mode, domains } = registration
    changed.push({ kind: 'registration', mode, ...(domains.length > 0 && { domains: domains.join(' ') }) })
  }
  if (announcement === null) changed.push({ kind: 'announcement', text: '' })
  if (announcement) changed.push({ kind: 'announcement', text: announcement.text, days: String(announcement.days) })
  if (dailyUploadMb !== undefined) changed.push({ kind: 'daily upload', mb: String(dailyUploadMb ?? 'as configured') })
  return changed
}

export async function getRegistrationPolicy(db: Db): Promise<RegistrationPolicy> {
  const { registration: mode, domains } = await findSettings(db)
  return { mode, domains: mode === 'domains' ? domains : [] }
}

/** Returns whether an address may register without an invitation. A domain includes its subdomains. */
export const isOpenTo = ({ mode, domains }: RegistrationPolicy, email: string): boolean => {
  const own = email.slice(email.lastIndexOf('@') + 1)
  return mode === 'open' || domains.some((domain) => own === domain || own.endsWith(`.${domain}`))
}

export async function findAnnouncement(db: Db): Promise<User['announcement']> {
  const { announcement } = await findSettings(db)
  return announcement ? { _id: announcement._id, text: announcement.text } : undefined
}

/** Returns the quota in MB per 24 hours that admins set for all users; null when they set none. */
export const findDailyUploadMb = async (tx: Tx): Promise<number | null> => (await findSettings(tx)).dailyUploadMb

type Settings = {
  registration: RegistrationMode
  domains: string[]
  dailyUploadMb: number | null
  announcement: { _id: string; text: string; until: Date } | null
}

const nothingSet: Settings = { registration: 'open', domains: [], dailyUploadMb: null, announcement: null }

/** An expired announcement is returned as null. */
async function findSettings(db: Db): Promise<Settings> {
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

/** Omitted settings keep their values. */
async function saveSettings(
  tx: Tx,
  { registration, announcement, dailyUploadMb }: InstanceSettingsUpdate,
): Promise<void> {
  const announced = announcement && {
    announcement_id: sql<string>`gen_random_uuid()`,
    announcement: announcement.text,
    announcement_expires_at: sql<Date>`now() + ${announcement.days}::integer * interval '1 day'`,
  }
  const withdrawn = { announcement_id: null, announcement: null, announcement_expires_at: null }
  const values = {
    ...(registration && { registration_mode: registration.mode, allowed_email_domains: registration.domains }),
    ...(dailyUploadMb !== undefined && { daily_upload_mb: dailyUploadMb }),
    ...(announcement === null ? withdrawn : announced),
  }
  await tx
    .insertInto('instance_settings')
    .defaultValues()
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (Object.keys(values).length > 0) await tx.updateTable('instance_settings').set(values).execute()
}
