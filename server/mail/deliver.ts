import type { Db } from '../db/pool.ts'
import { HopelessJob, type JobContext } from '../jobs/job.ts'
import type { Log } from '../log.ts'
import type { Observer } from '../observe/observer.ts'
import { isRefused, nameNobody } from './failed-delivery.ts'
import type { Mail, Mailer } from './mailer.ts'
import { forgetRefusal, isAddressRefused, markRefused } from './refused-addresses.ts'

export type MailDeps = { db: Db; mailer: Mailer; log: Log; observer: Observer }
type Job = Pick<JobContext, 'jobId' | 'attempt'>

/** Half an hour: a mailbox that has just been made, or that was full, may be taken after a while. */
const triesOfRefused = 12

/**
 * Sends the mail of a job, as one mail however often the job runs. To an address that is refused it is tried once: it was
 * asked for, or says what has been done to an account.
 * @throws what went wrong, without the recipient's address in it.
 */
export async function deliver(deps: MailDeps, mail: Mail, job: Job): Promise<void> {
  const wasRefused = await isAddressRefused(deps.db, mail.to)
  await deps.mailer.send({ ...mail, messageId: job.jobId }).catch(async (error) => {
    throw await explainFailure(deps, error, mail, wasRefused ? { ...job, attempt: triesOfRefused } : job)
  })
  if (wasRefused) await forgetRefusal(deps.db, mail.to)
}

/** Whether a mail that nobody asked for stays out, since its address is refused. */
export async function isWithheld({ db, observer }: MailDeps, { to }: Pick<Mail, 'to'>): Promise<boolean> {
  const isOut = await isAddressRefused(db, to)
  if (isOut) observer.metrics.mailsWithheld.inc()
  return isOut
}

/** Gives an address up that was refused often enough. @returns what the job throws, without the address in it. */
export async function explainFailure(
  { db, log, observer }: MailDeps,
  error: unknown,
  { to }: Pick<Mail, 'to'>,
  { jobId, attempt }: Job,
): Promise<Error> {
  const failure = nameNobody(error, to)
  if (!isRefused(error) || attempt < triesOfRefused) return failure
  if (!(await isAddressRefused(db, to))) {
    await markRefused(db, to)
    observer.metrics.addressesRefused.inc()
    log.warn({ jobId, reason: failure.message }, 'An address was given up: its mail server refuses it for good')
  }
  return new HopelessJob(failure.message)
}
