import type { WriteStream } from 'node:tty'
import { foldEmail } from '../../contract/accounts.ts'
import { announcementDays, houseChange } from '../../contract/house.ts'
import { quotaChange, uploadQuotaMax } from '../../contract/members.ts'
import type { Db } from '../../server/db/pool.ts'
import type { Deps } from '../../server/deps.ts'
import { changeQuota } from '../../server/documents/quotas.ts'
import { changeHouseSettings } from '../../server/house/house.ts'
import { invite } from '../../server/invitations/invitations.ts'
import { redactDecision } from '../../server/moderation/moderation.ts'
import { findUser } from '../../server/users/users.ts'

type Says = Pick<WriteStream, 'write'>

const mbExpected = `MB is a whole number from 1 to ${uploadQuotaMax.toLocaleString('en')}, or default`
/** What the contract says in a program's words, by where it is, in those of the command line. */
const expected: Record<string, string> = {
  'registration.mode': 'registration is open, invited or domains.',
  'announcement.days': `--days is a whole number from 1 to ${announcementDays.max}.`,
  dailyUploadMb: `${mbExpected}.`,
}

/** Sets something for everybody, as admins do on /admin. @returns false, having changed nothing, where it cannot be. */
export async function changeHouse({ db }: Pick<Deps, 'db'>, typed: object, out: Says): Promise<boolean> {
  const parsed = houseChange.safeParse(typed)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    out.write(`  Nothing was changed: ${expected[issue?.path.join('.') ?? ''] ?? issue?.message}\n`)
    return false
  }
  await changeHouseSettings(db, null, parsed.data)
  out.write('  It is set. All servers know.\n')
  return true
}

/** `open`, `invited`, or `domains` and these. */
export const readPolicy = (mode: string, domains: string[]) => ({ registration: { mode, domains } })

/** A text for so many days, or `off`. */
export const readAnnouncement = (text: string, days = '7') => ({
  announcement: text === 'off' ? null : { text, days: Number(days) },
})

/** Prints a link that lets one person register. @returns true */
export async function printInvitation(deps: Pick<Deps, 'db' | 'jobs' | 'config'>, out: Says): Promise<boolean> {
  const token = await invite(deps, null, null)
  out.write(`  ${deps.config.publicUrl}/register?invitation=${token}\n  It works once, for 14 days.\n`)
  return true
}

/** Says what all may upload in 24 hours, or one account; `default` is as all, or as the environment says. */
export async function setQuota(deps: Pick<Deps, 'db'>, whom: string, typed: string, out: Says): Promise<boolean> {
  const dailyUploadMb = typed === 'default' ? null : Number(typed)
  if (whom === 'all') return changeHouse(deps, { dailyUploadMb }, out)
  const user = await findUser(deps.db, { email: foldEmail(whom) })
  const parsed = quotaChange.safeParse({ dailyUploadMb })
  if (!user || !parsed.success) {
    out.write(`  Nothing was changed: ${user ? mbExpected : `nobody has an account with ${whom}`}.\n`)
    return false
  }
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
