import { z } from 'zod'
import type { DigestFrequency } from '../../../packages/contract/courses.ts'
import type { Deps } from '../../dependencies.ts'
import type { Db } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fail } from '../../platform/http/api-error.ts'
import { defineJob, type JobContext } from '../../platform/jobs/job.ts'
import { handleDeliveryError, isSuppressed, type MailDeps, wasNotTaken } from '../../platform/mail/deliver.ts'
import { courseDigestMail } from '../../platform/mail/emails.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { findUser, lockUser } from '../accounts/users/users.ts'
import { findActiveSuspension } from '../moderation/suspensions/active-suspension.ts'
import * as queries from './course-digests.queries.ts'
import { readCourses } from './courses.queries.ts'
import { readUnsubscribeToken, unsubscribeToken } from './unsubscribe-token.ts'

export const getMailChoice = async (db: Db, userId: string): Promise<DigestFrequency> =>
  (await queries.findFrequency(db, userId)) ?? 'none'

export async function setDigestFrequency(db: Db, userId: string, choice: DigestFrequency): Promise<DigestFrequency> {
  await inTransaction(db, async (tx) => {
    await lockUser(tx, userId)
    await queries.saveFrequency(tx, userId, choice === 'none' ? null : choice)
  })
  return choice
}

/** @throws unsubscribe_link_invalid */
export async function unsubscribe({ db, secret }: Pick<Deps, 'db' | 'secret'>, token: string): Promise<void> {
  await queries.unsubscribe(db, readUnsubscribeToken(secret, token) ?? fail('unsubscribe_link_invalid'))
}

export const courseDigestJob = defineJob('course-digest-mail', z.object({ userId: z.uuid(), number: z.int() }), {
  concurrency: 2,
})

const plannedAtOnce = 200

/** Plans all due digests. The next due date is saved and the mail enqueued in one transaction. */
export async function enqueueDueDigests({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, signal: AbortSignal): Promise<void> {
  let planned = plannedAtOnce
  while (planned === plannedAtOnce && !signal.aborted) {
    planned = await inTransaction(db, async (tx) => {
      const mails = await queries.planDueDigests(tx, plannedAtOnce)
      for (const mail of mails) await jobs.enqueue(tx, courseDigestJob, mail)
      return mails.length
    })
  }
}

/**
 * The handler of `courseDigestJob`. The start is saved before sending, and a started mail is never started again unless the
 * mail server rejected it, so a crash sends nothing twice. `notified_until` is saved after sending, so notes lost in a
 * crash are in the next digest.
 */
export async function sendDigest(deps: MailDeps, planned: queries.Planned, job: JobContext): Promise<void> {
  const { db } = deps
  const waiting = await queries.findPendingDigest(db, planned)
  const mail = waiting && (await writeMail(deps, planned.userId, waiting))
  if (!waiting || !mail || (await isSuppressed(deps, mail)) || !(await queries.markDigestStarted(db, planned))) return
  try {
    await deps.mailer.send({ ...mail, messageId: job.jobId })
  } catch (error) {
    if (wasNotTaken(error)) await queries.unmarkDigestStarted(db, planned)
    throw await handleDeliveryError(deps, error, mail, job)
  }
  await queries.saveNotifiedUntil(db, planned.userId, waiting.until)
}

/** @returns null if there are no new notes. */
async function writeMail(
  { db, secret, config }: MailDeps,
  userId: string,
  waiting: queries.PendingDigest,
): Promise<Mail | null> {
  const user = await findUser(db, { id: userId })
  // A suspended user could not open the notes; the first digest after the suspension includes them.
  if (!user || (await findActiveSuspension(db, userId))) return null
  const news = await queries.countNews(db, user, waiting)
  if (news.size === 0) return null
  const { publicUrl } = config
  const courses = await readCourses(db, user, [...news.keys()])
  return courseDigestMail(user.email, user.name, publicUrl, {
    news: courses.map(({ key, courseCode, name }) => ({
      course: name === null ? courseCode : `${courseCode} ${name}`,
      notes: news.get(key) ?? 0,
      link: `${publicUrl}/courses/${encodeURIComponent(key)}`,
    })),
    frequency: waiting.frequency,
    unsubscribeLink: `${publicUrl}/unsubscribe?token=${unsubscribeToken(secret, waiting.id)}`,
  })
}
