import { z } from 'zod'
import type { Deps } from '../../../dependencies.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { checkParts } from '../../../platform/http/health.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { ageOfSignaturesMs, getClamdVersion } from '../../uploads/antivirus/clamd.ts'
import * as queries from './attention.queries.ts'

const maxBackupAgeDays = 3
const maxSignatureAgeMs = 7 * 24 * 3_600_000

/** `userId` is an admin; without it, the recipient is the operator. */
const problemMailPayload = z.object({ userId: z.optional(z.uuid()), text: z.string(), isResolved: z.boolean() })
export const problemMailJob = defineJob('problem-mail', problemMailPayload)

const ofParts: Record<string, string> = {
  replica: 'The database replica isn’t responding. All queries go to the primary.',
  storage: 'Files can’t be stored, so uploads are refused. The disk or the file storage is full or isn’t responding.',
  spool: 'Uploads are refused, because DATA_DIR has no space left or cannot be written.',
  scanner: 'The virus scanner isn’t responding.',
}

async function findProblems(deps: Deps): Promise<queries.Problem[]> {
  const [parts, facts] = [await checkParts(deps), await queries.readFacts(deps.db)]
  const found = Object.entries(ofParts).filter(([part]) => parts[part] === false)
  const problems = found.map(([kind, text]) => ({ kind, text }))
  const add = (kind: string, text: string) => problems.push({ kind, text })
  const lack = await deps.space.assertFree().then(
    () => null,
    ({ cause }: Error) => String(cause),
  )
  if (lack !== null) add('space', `Uploads and changes are refused until there is more space: ${lack}.`)
  const { refusedAddresses, failedJobs, backupFailure, backupAgeDays } = facts
  if (backupFailure !== null) add('backup', `The last backup failed: ${backupFailure}`)
  else if (backupAgeDays !== null && backupAgeDays >= maxBackupAgeDays)
    add('backup', `The last backup is ${Math.floor(backupAgeDays)} days old.`)
  if (refusedAddresses > 0) {
    const addresses = refusedAddresses === 1 ? '1 address' : `${refusedAddresses} addresses`
    add('emails', `${addresses} permanently rejected emails in the last 24 hours. The log has the reasons.`)
  }
  if (failedJobs.length > 0)
    add('jobs', `Jobs that failed permanently in the last 24 hours: ${failedJobs.join(', ')}. The log has the reasons.`)
  if (await hasOldSignatures(deps)) add('signatures', 'Virus signatures are more than 7 days old. Check freshclam.')
  return problems
}

async function hasOldSignatures({ config: { clamav } }: Deps): Promise<boolean> {
  const version = clamav && (await getClamdVersion(clamav.address).catch(() => null))
  return version !== null && ageOfSignaturesMs(version) > maxSignatureAgeMs
}

/** Updates the list of the admin page, and emails new and ended problems to all admins and the operator. */
export async function checkProblems(deps: Deps): Promise<void> {
  const current = await findProblems(deps)
  await inTransaction(deps.db, async (tx) => {
    const changed = await queries.updateProblems(tx, current)
    if (changed.length === 0) return
    const admins = await queries.listAdmins(tx)
    const { operatorEmail } = deps.config
    const isExtra = operatorEmail !== null && admins.every(({ email }) => email !== operatorEmail.toLowerCase())
    const recipients = [...admins.map(({ id }) => ({ userId: id })), ...(isExtra ? [{}] : [])]
    for (const { text, isResolved } of changed) {
      for (const recipient of recipients) {
        await deps.jobs.enqueue(tx, problemMailJob, { ...recipient, text, isResolved })
      }
    }
  })
}
