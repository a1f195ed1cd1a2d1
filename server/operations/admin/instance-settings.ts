import { foldEmail } from '../../../packages/contract/accounts.ts'
import { announcementDays, instanceSettingsUpdate } from '../../../packages/contract/instance-settings.ts'
import { quotaChange } from '../../../packages/contract/members.ts'
import type { Deps } from '../../dependencies.ts'
import { findUser } from '../../features/accounts/users/users.ts'
import { updateInstanceSettings } from '../../features/administration/instance-settings/instance-settings.ts'
import { createInvitation } from '../../features/administration/invitations/invitations.ts'
import { redactDecision } from '../../features/moderation/moderation.ts'
import { countStates } from '../../features/uploads/documents/processing.queries.ts'
import { reprocessDocuments } from '../../features/uploads/documents/reprocess.ts'
import { changeQuota } from '../../features/uploads/documents/upload-quota.ts'
import type { Db } from '../../platform/db/pool.ts'
import { adoptStorage } from '../../platform/storage/open-storage.ts'
import type { FileStorage } from '../../platform/storage/storage.ts'
import { createProgress, type Output, UsageError } from './command-line.ts'

/** Messages in the words of the command line, by the path of an issue in the contract's schema. */
const expected: Record<string, string> = {
  'registration.mode': 'registration must be open, invited or domains.',
  'announcement.days': `--days must be a whole number from 1 to ${announcementDays.max}.`,
}

/** Changes instance settings, as admins do on /admin. @throws UsageError @returns true */
async function updateSettings({ db }: Pick<Deps, 'db'>, typed: object, out: Output): Promise<boolean> {
  const parsed = instanceSettingsUpdate.safeParse(typed)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new UsageError(expected[issue?.path.join('.') ?? ''] ?? issue?.message)
  }
  await updateInstanceSettings(db, null, parsed.data)
  out.write('  Saved.\n')
  return true
}

/** Sets who may register: `mode` is `open`, `invited`, or `domains` with a list of domains. */
export async function setRegistration(deps: Pick<Deps, 'db'>, mode: string, domains: string[], out: Output) {
  const isExtra = mode !== 'domains' && domains.length > 0
  if (isExtra) throw new UsageError(`${mode} takes no domains. Did you mean: registration domains ${domains.join(' ')}`)
  return updateSettings(deps, { registration: { mode, domains } }, out)
}

/** Shows a text for `days` days; `off` removes the announcement. */
export async function announce(deps: Pick<Deps, 'db'>, text: string, days = '7', out: Output) {
  if (text !== 'off' && /^\W*off\W*$/i.test(text))
    throw new UsageError('To remove the announcement, use: announce off.')
  return updateSettings(deps, { announcement: text === 'off' ? null : { text, days: Number(days) } }, out)
}

/** Prints a link with which one person can register. @returns true */
export async function printInvitation(deps: Pick<Deps, 'db' | 'jobs' | 'config'>, out: Output): Promise<boolean> {
  const token = await createInvitation(deps, null, null)
  out.write(`  ${deps.config.publicUrl}/register?invitation=${token}\n  Works once, expires in 14 days.\n`)
  return true
}

/** Sets the upload quota per 24 hours of all users or of one; `default` restores the general or the configured one. */
export async function setQuota(
  deps: Pick<Deps, 'db' | 'config'>,
  whom: string,
  typed: string,
  out: Output,
): Promise<boolean> {
  const dailyUploadMb = typed === 'default' ? null : Number(typed)
  const parsed = quotaChange.safeParse({ dailyUploadMb })
  const { maxUploadMbPerDay: max } = deps.config
  if (!parsed.success || (dailyUploadMb ?? 0) > max) {
    throw new UsageError(`MB must be a whole number from 1 to ${max} (MAX_UPLOAD_MB_PER_DAY), or default.`)
  }
  if (whom === 'all') return updateSettings(deps, { dailyUploadMb }, out)
  const user = await findUser(deps.db, { email: foldEmail(whom) })
  if (!user) {
    out.write(`  Nothing was changed: no account with ${whom}.\n`)
    return false
  }
  await changeQuota(deps.db, null, user.id, parsed.data.dailyUploadMb)
  out.write('  Saved.\n')
  return true
}

/** Deletes the reason of a decision, which may name a person. @returns false if there is no such decision. */
export async function redactReason(db: Db, number: string, out: Output): Promise<boolean> {
  const isNumber = /^\d{1,15}$/.test(number)
  const isDone = isNumber && (await redactDecision(db, Number(number)))
  out.write(
    isDone
      ? `  Redacted the reason of decision ${number}. The decision stays in the log.\n`
      : `  Nothing was changed: there is no decision ${number}.\n`,
  )
  return isDone
}

/** Makes the configured storage that of the database, whatever it contains. @returns true */
export async function adoptFiles(db: Db, files: FileStorage, out: Output): Promise<boolean> {
  const marker = await adoptStorage(db, files)
  out.write(
    `  This storage now belongs to this database (marker ${marker}). Check its files with: lectern admin verify\n`,
  )
  return true
}

/** @returns false if it was interrupted. Documents that could not be processed are listed and remain to be processed. */
export async function reprocess(
  deps: Deps,
  options: { all: boolean; signal: AbortSignal },
  out: Output,
): Promise<boolean> {
  const { signal } = options
  await reprocessDocuments(deps, { ...options, onProgress: createProgress(out, 'Reading documents') })
  if (signal.aborted) out.write('\n  Stopped. Run it again without --all to continue.\n')
  const states = await countStates(deps.db)
  if (states.length === 0) out.write('  No documents found.\n')
  for (const { product, state, problem, count } of states) {
    out.write(
      `  ${productNames[product]}: ${count} ${names[state] ?? state}${state === 'failed' ? ` (${problem})` : ''}\n`,
    )
  }
  return !signal.aborted
}

const productNames = { text: 'text', thumbnail: 'thumbnail', ocr: 'recognised text' }
const names: Record<string, string> = {
  done: 'done',
  empty: 'no text',
  pending: 'pending',
  none: 'not needed',
  failed: 'failed',
}
