import { sql } from 'kysely'
import { z } from 'zod'
import type { Deps } from '../../../dependencies.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import { checkParts } from '../../../platform/http/health.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { ageOfSignaturesMs, getClamdVersion } from '../../uploads/antivirus/clamd.ts'

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

async function findProblems(deps: Deps): Promise<Problem[]> {
  const [parts, facts] = [await checkParts(deps), await readFacts(deps.db)]
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
    const changed = await updateProblems(tx, current)
    if (changed.length === 0) return
    const admins = await listAdmins(tx)
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

/** Reads the facts of the last 24 hours, and those of the last backup. */
async function readFacts(db: Db) {
  const { rows } = await sql<{
    refusedAddresses: number
    failedJobs: string[]
    backupFailure: string | null
    backupAgeDays: number | null
  }>`
    SELECT (SELECT count(*) FROM mail_suppressions WHERE refused_at > now() - interval '1 day') AS "refusedAddresses",
           ARRAY(SELECT DISTINCT name FROM pgboss.job
                  WHERE state = 'failed' AND completed_on > now() - interval '1 day'
                    -- Schedules run again anyway, and refused addresses are counted.
                    AND retry_limit > 0 AND name NOT LIKE '%-mail' ORDER BY name) AS "failedJobs",
           (SELECT failure FROM backup_result) AS "backupFailure",
           (SELECT extract(epoch FROM now() - succeeded_at)::float8 / 86400 FROM backup_result) AS "backupAgeDays"`.execute(
    db,
  )
  return rows[0] ?? { refusedAddresses: 0, failedJobs: [], backupFailure: null, backupAgeDays: null }
}

/** @param failure null when the backup succeeded. */
export async function saveBackupResult(db: Db, failure: string | null): Promise<void> {
  const succeededAt = failure === null ? sql<Date>`now()` : sql<null>`NULL`
  await sql`
    INSERT INTO backup_result (failure, succeeded_at) VALUES (${failure}, ${succeededAt})
    ON CONFLICT (singleton) DO UPDATE
       SET failure = excluded.failure, succeeded_at = coalesce(excluded.succeeded_at, backup_result.succeeded_at)`.execute(
    db,
  )
}

type Problem = { kind: string; text: string }

export const listProblems = (db: Db) =>
  db.selectFrom('problems').select(['kind', 'text', 'since']).where('ended_at', 'is', null).orderBy('since').execute()

/**
 * Records new problems and ends those that were not found again.
 * @returns what to email: each problem once a day, and its end.
 */
async function updateProblems(tx: Tx, current: Problem[]): Promise<(Problem & { isResolved: boolean })[]> {
  // Several servers check at the same time, and only one of them sends the emails.
  await sql`LOCK TABLE problems IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
  const kinds = current.map(({ kind }) => kind)
  const { rows: over } = await sql<Problem & { wasTold: boolean }>`
    UPDATE problems SET ended_at = now() WHERE ended_at IS NULL AND kind <> ALL(${kinds}::text[])
    RETURNING kind, text, mailed_at >= since AS "wasTold"`.execute(tx)
  await sql`
    INSERT INTO problems (kind, text)
    SELECT * FROM unnest(${kinds}::text[], ${current.map(({ text }) => text)}::text[])
    ON CONFLICT (kind) DO UPDATE
       SET text = excluded.text, ended_at = NULL,
           since = CASE WHEN problems.ended_at IS NULL THEN problems.since ELSE now() END`.execute(tx)
  const { rows: due } = await sql<Problem>`
    UPDATE problems SET mailed_at = now()
     WHERE ended_at IS NULL AND (mailed_at IS NULL OR mailed_at <= now() - interval '1 day')
    RETURNING kind, text`.execute(tx)
  return [
    ...due.map(({ kind, text }) => ({ kind, text, isResolved: false })),
    ...over.filter(({ wasTold }) => wasTold).map(({ kind, text }) => ({ kind, text, isResolved: true })),
  ]
}

const listAdmins = (tx: Tx) => tx.selectFrom('users').select(['id', 'email']).where('role', '=', 'admin').execute()
