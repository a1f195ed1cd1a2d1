import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { type JobContext, PermanentJobError } from '../jobs/job.ts'
import type { Log } from '../observability/log.ts'
import type { Telemetry } from '../observability/telemetry.ts'
import type { Mail, Mailer } from './mailer.ts'

export type MailDeps = { db: Db; mailer: Mailer; log: Log; observer: Telemetry }
type Job = Pick<JobContext, 'jobId' | 'attempt'>

/** Half an hour: a mailbox that has just been made, or that was full, may be taken after a while. */
const attemptsBeforeSuppression = 12

/**
 * Sends the mail of a job, as one mail however often the job runs. To an address that is refused it is tried once: it was
 * asked for, or says what has been done to an account.
 * @throws what went wrong, without the recipient's address in it.
 */
export async function deliverMail(deps: MailDeps, mail: Mail, job: Job): Promise<void> {
  const wasRefused = await isAddressSuppressed(deps.db, mail.to)
  await deps.mailer.send({ ...mail, messageId: job.jobId }).catch(async (error) => {
    throw await handleDeliveryError(
      deps,
      error,
      mail,
      wasRefused ? { ...job, attempt: attemptsBeforeSuppression } : job,
    )
  })
  if (wasRefused) await unsuppressAddress(deps.db, mail.to)
}

/** Whether a mail that nobody asked for stays out, since its address is refused. */
export async function isSuppressed({ db, observer }: MailDeps, { to }: Pick<Mail, 'to'>): Promise<boolean> {
  const isOut = await isAddressSuppressed(db, to)
  if (isOut) observer.metrics.mailsWithheld.inc()
  return isOut
}

/** Gives an address up that was refused often enough. @returns what the job throws, without the address in it. */
export async function handleDeliveryError(
  { db, log, observer }: MailDeps,
  error: unknown,
  { to }: Pick<Mail, 'to'>,
  { jobId, attempt }: Job,
): Promise<Error> {
  const failure = redactRecipient(error, to)
  if (!isPermanentRejection(error) || attempt < attemptsBeforeSuppression) return failure
  if (!(await isAddressSuppressed(db, to))) {
    await suppressAddress(db, to)
    observer.metrics.addressesRefused.inc()
    log.warn({ jobId, reason: failure.message }, 'An address was given up: its mail server refuses it for good')
  }
  return new PermanentJobError(failure.message)
}

/** What nodemailer waits for before it says anything of a mail. */
const beforeAnyMail = new Set<unknown>(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT'])

/**
 * Whether a mail that `send` failed with has certainly not been taken over: the mail server refused it, or was never
 * reached. After any other failure nobody knows.
 */
export function wasNotTaken(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { responseCode, code, syscall, timeoutType } = error as Error & Record<string, unknown>
  return (
    typeof responseCode === 'number' ||
    syscall === 'connect' ||
    code === 'EDNS' ||
    code === 'ETLS' ||
    beforeAnyMail.has(timeoutType)
  )
}

/**
 * Whether the mail server has refused the recipient for good. What it has against the sender (5.7, as a relay that is denied
 * has it) is for the operator to mend, and the mail goes out then.
 */
export function isPermanentRejection(error: unknown): boolean {
  const { command, responseCode, response } = error as Record<string, unknown>
  return command === 'RCPT TO' && Number(responseCode) >= 500 && !/^5\d\d[ -]5\.7\./.test(String(response))
}

/** Mail servers repeat the address they refuse, and what a job throws is logged and kept with the job. */
function redactRecipient(error: unknown, address: string): Error {
  const text = error instanceof Error ? error.message : String(error)
  return new Error(text.replaceAll(new RegExp(RegExp.escape(address), 'gi'), '(the recipient)'))
}

const keptDays = 90

/** Whether the mail server of an address has refused it for good, and took nothing for it since. */
export async function isAddressSuppressed(db: Db, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('refused_addresses')
    .select('refused_at')
    .where('address_sha256', '=', hashAddress(address))
    .executeTakeFirst()
  return row !== undefined
}

export async function suppressAddress(db: Db, address: string): Promise<void> {
  await db
    .insertInto('refused_addresses')
    .values({ address_sha256: hashAddress(address) })
    .onConflict((conflict) => conflict.column('address_sha256').doUpdateSet({ refused_at: sql<Date>`now()` }))
    .execute()
}

/** A mail has arrived there, or its student wants it to be tried again. */
export async function unsuppressAddress(db: Db, address: string): Promise<void> {
  await db.deleteFrom('refused_addresses').where('address_sha256', '=', hashAddress(address)).execute()
}

export async function deleteOldRefusals(db: Db): Promise<void> {
  await db
    .deleteFrom('refused_addresses')
    .where('refused_at', '<', sql<Date>`now() - ${keptDays} * interval '1 day'`)
    .execute()
}

const hashAddress = (address: string) => createHash('sha256').update(address.toLowerCase()).digest()

/** A mailer whose mails are counted: `sent`, `refused` for good by what the mail server said of the recipient, or `failed`. */
export function observeMailer<M extends Mailer>(mailer: M, { metrics }: Telemetry): M {
  for (const outcome of ['sent', 'refused', 'failed']) metrics.mails.inc({ outcome }, 0)
  return {
    ...mailer,
    async send(mail) {
      try {
        await mailer.send(mail)
        metrics.mails.inc({ outcome: 'sent' })
      } catch (error) {
        metrics.mails.inc({ outcome: isPermanentRejection(error) ? 'refused' : 'failed' })
        throw error
      }
    },
  }
}
