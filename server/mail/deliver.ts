import { nameNobody } from './failed-delivery.ts'
import type { Mail, Mailer } from './mailer.ts'

/**
 * Sends the mail of a job, as one mail however often the job runs.
 * @throws what went wrong, without the recipient's address in it.
 */
export async function deliver(mailer: Mailer, mail: Mail, jobId: string): Promise<void> {
  await mailer.send({ ...mail, messageId: jobId }).catch((error) => {
    throw nameNobody(error, mail.to)
  })
}
