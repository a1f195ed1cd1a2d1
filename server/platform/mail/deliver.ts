import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { defineJobHandler, type JobContext, type JobDefinition, PermanentJobError } from '../jobs/job.ts'
import type { Log } from '../observability/log.ts'
import type { Telemetry } from '../observability/telemetry.ts'
import type { Mail, Mailer } from './mailer.ts'
import { type AddressedMail, renderMail } from './render-mail.ts'

export type MailDeps = {
  db: Db
  mailer: Mailer
  log: Log
  telemetry: Telemetry
  config: { publicUrl: string; operatorEmail: string | null }
  secret: string
}
type Job = Pick<JobContext, 'jobId' | 'attempt'>

/** Half an hour: a mail server may accept a new or a full mailbox after a while. */
const attemptsBeforeSuppression = 12

/**
 * Sends the mail of a job, as one mail however often the job runs. A suppressed address gets one attempt, because the
 * mail was requested or reports a change to an account. Errors that a job throws contain no address.
 * @param write returns the mail, or null if it is no longer needed.
 */
export const defineMailHandler = <T>(
  job: JobDefinition<T>,
  write: (deps: MailDeps, payload: T, jobId: string) => Promise<AddressedMail | null>,
) =>
  defineJobHandler(job, async (deps: MailDeps, payload, context) => {
    const content = await write(deps, payload, context.jobId)
    if (!content) return
    const mail = renderMail(content, deps.config.publicUrl)
    const wasRefused = await isAddressSuppressed(deps.db, mail.to)
    const counted = wasRefused ? { ...context, attempt: attemptsBeforeSuppression } : context
    await deps.mailer.send({ ...mail, messageId: context.jobId }).catch(async (error) => {
      throw await handleDeliveryError(deps, error, mail, counted)
    })
    if (wasRefused) await unsuppressAddress(deps.db, mail.to)
  })

/** Returns whether to skip an optional mail because its address is on the suppression list. */
export async function isSuppressed({ db, telemetry }: MailDeps, { to }: Pick<Mail, 'to'>): Promise<boolean> {
  const isOut = await isAddressSuppressed(db, to)
  if (isOut) telemetry.metrics.mailsWithheld.inc()
  return isOut
}

/** Suppresses an address that was rejected often enough. @returns what the job throws, without the address in it. */
export async function handleDeliveryError(
  { db, log, telemetry }: MailDeps,
  error: unknown,
  { to }: Pick<Mail, 'to'>,
  { jobId, attempt }: Job,
): Promise<Error> {
  const failure = redactRecipient(error, to)
  if (!isPermanentRejection(error) || attempt < attemptsBeforeSuppression) return failure
  if (!(await isAddressSuppressed(db, to))) {
    await suppressAddress(db, to)
    telemetry.metrics.addressesRefused.inc()
    log.warn({ jobId, reason: failure.message }, 'Suppressed an address that its mail server permanently rejects')
  }
  return new PermanentJobError(failure.message)
}

/** The timeouts of nodemailer before it sends any part of a mail. */
const beforeAnyMail = new Set<unknown>(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'UPGRADE_TIMEOUT'])

/**
 * Returns whether the mail of a failed `send` was certainly not accepted: the mail server refused it, or was never
 * reached. After any other failure the result is unknown.
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
 * Returns whether the mail server permanently rejected the recipient. Rejections of the sender (5.7, such as a denied
 * relay) are for the operator to fix, and the mail is sent then.
 */
export function isPermanentRejection(error: unknown): boolean {
  const { command, responseCode, response } = error as Record<string, unknown>
  return command === 'RCPT TO' && Number(responseCode) >= 500 && !/^5\d\d[ -]5\.7\./.test(String(response))
}

/** Mail servers repeat the rejected address, and what a job throws is logged and stored with the job. */
function redactRecipient(error: unknown, address: string): Error {
  const text = error instanceof Error ? error.message : String(error)
  return new Error(text.replaceAll(new RegExp(RegExp.escape(address), 'gi'), '(the recipient)'))
}

const keptDays = 90

/** Returns whether the mail server rejected the address permanently and has accepted no mail for it since. */
export async function isAddressSuppressed(db: Db, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('mail_suppressions')
    .select('refused_at')
    .where('address_sha256', '=', hashAddress(address))
    .executeTakeFirst()
  return row !== undefined
}

export async function suppressAddress(db: Db, address: string): Promise<void> {
  await db
    .insertInto('mail_suppressions')
    .values({ address_sha256: hashAddress(address) })
    .onConflict((conflict) => conflict.column('address_sha256').doUpdateSet({ refused_at: sql<Date>`now()` }))
    .execute()
}

/** Call this when a mail arrived there, or its student wants another attempt. */
export async function unsuppressAddress(db: Db, address: string): Promise<void> {
  await db.deleteFrom('mail_suppressions').where('address_sha256', '=', hashAddress(address)).execute()
}

export async function deleteOldRefusals(db: Db): Promise<void> {
  await db
    .deleteFrom('mail_suppressions')
    .where('refused_at', '<', sql<Date>`now() - ${keptDays} * interval '1 day'`)
    .execute()
}

const hashAddress = (address: string) => createHash('sha256').update(address.toLowerCase()).digest()

/** Wraps a mailer and counts its mails: `sent`, `refused` (the recipient was permanently rejected) or `failed`. */
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
