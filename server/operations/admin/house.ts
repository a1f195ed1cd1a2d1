import type { WriteStream } from 'node:tty'
import { foldEmail } from '../../../packages/contract/accounts.ts'
import { announcementDays, instanceSettingsUpdate } from '../../../packages/contract/instance-settings.ts'
import { quotaChange } from '../../../packages/contract/members.ts'
import type { Deps } from '../../dependencies.ts'
import { findUser } from '../../features/accounts/users/users.ts'
import { changeHouseSettings } from '../../features/administration/instance-settings/instance-settings.ts'
import { invite } from '../../features/administration/invitations/invitations.ts'
import { redactDecision } from '../../features/moderation/moderation.ts'
import { changeQuota } from '../../features/uploads/documents/quotas.ts'
import type { Db } from '../../platform/db/pool.ts'

type Says = Pick<WriteStream, 'write'>

/** What the contract says in a program's words, by where it is, in those of the command line. */
const expected: Record<string, string> = {
  'registration.mode': 'registration is open, invited or domains.',
  'announcement.days': `--days is a whole number from 1 to ${announcementDays.max}.`,
}

function refuse(out: Says, why: string): false {
  out.write(`  Nothing was changed: ${why}\n`)
  return false
}

/** Sets something for everybody, as admins do on /admin. @returns false, having changed nothing, where it cannot be. */
async function changeHouse({ db }: Pick<Deps, 'db'>, typed: object, out: Says): Promise<boolean> {
  const parsed = instanceSettingsUpdate.safeParse(typed)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuse(out, expected[issue?.path.join('.') ?? ''] ?? issue?.message ?? '')
  }
  await changeHouseSettings(db, null, parsed.data)
  out.write('  It is set. All servers know.\n')
  return true
}

/** `open`, `invited`, or `domains` and these. */
export async function setRegistration(deps: Pick<Deps, 'db'>, mode: string, domains: string[], out: Says) {
  const isExtra = mode !== 'domains' && domains.length > 0
  if (isExtra)
    return refuse(out, `${mode} takes no domains. For who has one: registration domains ${domains.join(' ')}`)
  return changeHouse(deps, { registration: { mode, domains } }, out)
}

/** A text for so many days, or `off`. */
export async function announce(deps: Pick<Deps, 'db'>, text: string, days = '7', out: Says) {
  if (text !== 'off' && /^\W*off\W*$/i.test(text)) return refuse(out, 'announce off takes an announcement away.')
  return changeHouse(deps, { announcement: text === 'off' ? null : { text, days: Number(days) } }, out)
}

/** Prints a link that lets one person register. @returns true */
export async function printInvitation(deps: Pick<Deps, 'db' | 'jobs' | 'config'>, out: Says): Promise<boolean> {
  const token = await invite(deps, null, null)
  out.write(`  ${deps.config.publicUrl}/register?invitation=${token}\n  It works once, for 14 days.\n`)
  return true
}

/** Says what all may upload in 24 hours, or one account; `default` is as all, or as the environment says. */
export async function setQuota(
  deps: Pick<Deps, 'db' | 'config'>,
  whom: string,
  typed: string,
  out: Says,
): Promise<boolean> {
  const dailyUploadMb = typed === 'default' ? null : Number(typed)
  const parsed = quotaChange.safeParse({ dailyUploadMb })
  const { maxUploadMbPerDay: max } = deps.config
  if (!parsed.success || (dailyUploadMb ?? 0) > max) {
    return refuse(out, `MB is a whole number from 1 to ${max} (MAX_UPLOAD_MB_PER_DAY), or default.`)
  }
  if (whom === 'all') return changeHouse(deps, { dailyUploadMb }, out)
  const user = await findUser(deps.db, { email: foldEmail(whom) })
  if (!user) return refuse(out, `nobody has an account with ${whom}.`)
  await changeQuota(deps.db, null, user.id, parsed.data.dailyUploadMb)
  out.write('  It is set. All servers know.\n')
  return true
}

/** Where the reason of a decision names somebody. @returns false, having changed nothing, where there is no such decision. */
export async function redactReason(db: Db, number: string, out: Pick<WriteStream, 'write'>): Promise<boolean> {
  const isNumber = /^\d{1,15}$/.test(number)
  const isDone = isNumber && (await redactDecision(db, Number(number)))
  out.write(
    isDone
      ? `  The reason of decision ${number} is gone. The decision stays in the log.\n`
      : `  Nothing was changed: there is no decision ${number}.\n`,
  )
  return isDone
}
