import type {
  InstanceSettings,
  InstanceSettingsUpdate,
  RegistrationPolicy,
} from '../../../../packages/contract/instance-settings.ts'
import type { User } from '../../../../packages/contract/profile.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { version } from '../../../platform/db/version.ts'
import { type Actor, lockActor } from '../../auth/roles/roles.ts'
import { recordAudit } from '../audit/audit.ts'
import * as queries from './instance-settings.queries.ts'

type SettingsDeps = Pick<Deps, 'db' | 'config'>

/** The settings are read whenever they are needed, so a change applies on every server immediately. */
export async function getInstanceSettings({ db, config }: SettingsDeps): Promise<InstanceSettings> {
  const { registration, domains, announcement, dailyUploadMb } = await queries.findSettings(db)
  return {
    registration: { mode: registration, domains },
    announcement: announcement && { ...announcement, until: announcement.until.toISOString() },
    dailyUploadMb,
    maxDailyUploadMb: config.maxUploadMbPerDay,
    version,
  }
}

export function updateInstanceSettings(db: Db, actor: Actor, change: InstanceSettingsUpdate): Promise<void> {
  const { registration, announcement, dailyUploadMb } = change
  return inTransaction(db, async (tx) => {
    await lockActor(tx, actor)
    await queries.saveSettings(tx, {
      ...(registration && { registration_mode: registration.mode, allowed_email_domains: registration.domains }),
      ...(announcement !== undefined && { announcement }),
      ...(dailyUploadMb !== undefined && { daily_upload_mb: dailyUploadMb }),
    })
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
  const { registration: mode, domains } = await queries.findSettings(db)
  return { mode, domains: mode === 'domains' ? domains : [] }
}

/** Returns whether an address may register without an invitation. A domain includes its subdomains. */
export const isOpenTo = ({ mode, domains }: RegistrationPolicy, email: string): boolean => {
  const own = email.slice(email.lastIndexOf('@') + 1)
  return mode === 'open' || domains.some((domain) => own === domain || own.endsWith(`.${domain}`))
}

export async function findAnnouncement(db: Db): Promise<User['announcement']> {
  const { announcement } = await queries.findSettings(db)
  return announcement ? { _id: announcement._id, text: announcement.text } : undefined
}

/** Returns the quota in MB per 24 hours that admins set for all users; null when they set none. */
export const findDailyUploadMb = async (tx: Tx): Promise<number | null> =>
  (await queries.findSettings(tx)).dailyUploadMb
