import { foldEmail } from '../../../packages/contract/accounts.ts'
import { newSuspension } from '../../../packages/contract/members.ts'
import { type Role, roles } from '../../../packages/contract/roles.ts'
import type { Deps } from '../../dependencies.ts'
import { findUser } from '../../features/accounts/users/users.ts'
import { setRole } from '../../features/auth/roles/roles.ts'
import { turnOffByOperator } from '../../features/auth/two-factor/two-factor.ts'
import * as suspensions from '../../features/moderation/suspensions/suspensions.ts'
import { ApiError } from '../../platform/http/api-error.ts'
import { type Output, UsageError } from './command-line.ts'

/** Changes the role of a user. @throws UsageError @returns false if there is no such user and nothing was changed. */
export async function runRoleCommand(
  deps: Pick<Deps, 'db'>,
  typedEmail: string,
  role: string,
  out: Output,
): Promise<boolean> {
  if (!isRole(role)) {
    throw new UsageError(`Unknown role “${role}”. Use one of ${roles.join(', ')}.`)
  }
  const email = foldEmail(typedEmail)
  const before = await setRole(deps, email, role)
  if (before === null) out.write(`  Nothing was changed: no account with ${email}.\n`)
  else if (before === role) out.write(`  Nothing was changed: ${email} is already ${role}.\n`)
  else out.write(`  ${email} is now ${role} (was ${before}).\n`)
  return before !== null
}

const isRole = (text: string): text is Role => roles.some((role) => role === text)

/**
 * For a user who has lost the app and the recovery codes. The job queue must be started, because the user gets a mail.
 * @returns false if there is no such user and nothing was changed.
 */
export async function disableTwoFactor(
  deps: Pick<Deps, 'db' | 'jobs'>,
  typedEmail: string,
  out: Output,
): Promise<boolean> {
  const email = foldEmail(typedEmail)
  const wasOn = await turnOffByOperator(deps, email)
  if (wasOn === null) out.write(`  Nothing was changed: no account with ${email}.\n`)
  else if (!wasOn) out.write(`  Nothing was changed: two-factor authentication for ${email} is already off.\n`)
  else out.write(`  Turned off two-factor authentication for ${email} and emailed them.\n`)
  return wasOn !== null
}

type SuspendDeps = Pick<Deps, 'db' | 'jobs'>
type Options = { reason: string; days: string | undefined; hidesNotes: boolean }

const noteId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** Suspends a user by email, or the author of an anonymous note by the note's id. @throws UsageError @returns whether it did. */
export async function suspend(deps: SuspendDeps, whom: string, { reason, days, hidesNotes }: Options, out: Output) {
  const parsed = newSuspension.safeParse({ reason, days: days === undefined ? null : Number(days), hidesNotes })
  if (!parsed.success) {
    throw new UsageError('--reason needs up to 1,000 characters, --days a number from 1 to 3,650.')
  }
  if (hidesNotes && noteId.test(whom)) {
    // Notes hidden at the same moment as the anonymous note would reveal its author.
    throw new UsageError('--hide-notes needs an EMAIL. Leave it out for the author of a note.')
  }
  return report(out, `${whom} has been suspended.`, async () => {
    if (noteId.test(whom)) await suspensions.suspendNoteAuthor(deps, null, whom, parsed.data)
    else await suspensions.suspendMember(deps, null, await idOf(deps, whom), parsed.data)
  })
}

/** Ends a suspension: by email that of the account, by a note's id that of the note's author. */
export function unsuspend(deps: SuspendDeps, whom: string, out: Output): Promise<boolean> {
  return report(out, `${whom} is no longer suspended.`, async () => {
    if (noteId.test(whom)) await suspensions.liftNoteAuthorSuspension(deps, null, whom)
    else await suspensions.liftSuspension(deps, null, await idOf(deps, whom))
  })
}

async function report(out: Output, done: string, act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    out.write(`  ${done}\n`)
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    out.write(`  Nothing was changed: ${error.message}\n`)
    return false
  }
}

/** @throws member_not_found */
async function idOf({ db }: Pick<Deps, 'db'>, typedEmail: string): Promise<string> {
  const user = await findUser(db, { email: foldEmail(typedEmail) })
  if (!user) throw new ApiError('member_not_found')
  return user.id
}
