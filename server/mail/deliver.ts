import { HopelessJob, type JobContext } from '../jobs/job.ts'
import { isRefused, nameNobody } from './failed-delivery.ts'
import type { Mail, Mailer } from './mailer.ts'

/** Half an hour: a mailbox that has just been made, or that was full, may be taken after a while. */
const triesOfRefused = 12

/**
 * Sends the mail of a job, as one mail however often the job runs.
 * @throws what went wrong, without the recipient's address in it.
 */
export async function deliver(mailer: Mailer, mail: Mail, job: Pick<JobContext, 'jobId' | 'attempt'>): Promise<void> {
  await mailer.send({ ...mail, messageId: job.jobId }).catch((error) => {
    const failure = nameNobody(error, mail.to)
    throw isRefused(error) && job.attempt >= triesOfRefused ? new HopelessJob(failure.message) : failure
  })
}
