import { z } from 'zod'
import type { DigestFrequency } from '../../../packages/contract/courses.ts'
import type { Deps } from '../../dependencies.ts'
import type { Db } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { fail } from '../../platform/http/api-error.ts'
import { defineJob, type JobContext } from '../../platform/jobs/job.ts'
import {
  handleDeliveryError,
  isSuppressed,
  type MailDeps as Sending,
  wasNotTaken,
} from '../../platform/mail/deliver.ts'
import { courseNewsMail } from '../../platform/mail/emails.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { findUser, lockUser } from '../accounts/users/users.ts'
import { findActiveSuspension } from '../moderation/suspensions/active-suspension.ts'
import * as queries from './course-digests.queries.ts'
import { readCourses } from './courses.queries.ts'
import { readUnsubscribeToken, unsubscribeToken } from './unsubscribe-token.ts'

export const getMailChoice = async (db: Db, userId: string): Promise<DigestFrequency> =>
  (await queries.findFrequency(db, userId)) ?? 'none'

export async function chooseMails(db: Db, userId: string, choice: DigestFrequency): Promise<DigestFrequency> {
  await inTransaction(db, async (tx) => {
    await lockUser(tx, userId)
    await queries.saveFrequency(tx, userId, choice === 'none' ? null : choice)
  })
  return choice
}

/** @throws unsubscribe_link_invalid */
export async function endMails({ db, secret }: Pick<Deps, 'db' | 'secret'>, token: string): Promise<void> {
  await queries.endMails(db, readUnsubscribeToken(secret, token) ?? fail('unsubscribe_link_invalid'))
}

export const courseMail = defineJob('course-mail', z.object({ userId: z.uuid(), number: z.int() }), { concurrency: 2 })

const plannedAtOnce = 200

/** Plans all mails that are due. A student is taken forward and their mail enqueued in one transaction. */
export async function enqueueDueDigests({ db, jobs }: Pick<Deps, 'db' | 'jobs'>, signal: AbortSignal): Promise<void> {
  let planned = plannedAtOnce
  while (planned === plannedAtOnce && !signal.aborted) {
    planned = await inTransaction(db, async (tx) => {
      const mails = await queries.planDueMails(tx, plannedAtOnce)
      for (const mail of mails) await jobs.enqueue(tx, courseMail, mail)
      return mails.length
    })
  }
}

type MailDeps = Sending & Pick<Deps, 'config' | 'secret'>

/**
 * The handler of `courseMail`. That a mail is begun is written down before it is sent, and one that was begun is never
 * begun again, unless the mail server has refused it: whoever dies in between sends nothing twice. What one was told of
 * is written down afterwards, so that nothing is lost by that either, but comes with the next mail.
 */
export async function sendCourseMail(deps: MailDeps, planned: queries.Planned, job: JobContext): Promise<void> {
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
  await queries.saveToldUntil(db, planned.userId, waiting.until)
}

/** @returns null where there is nothing to tell. */
async function writeMail(
  { db, secret, config }: MailDeps,
  userId: string,
  waiting: queries.PendingDigest,
): Promise<Mail | null> {
  const user = await findUser(db, { id: userId })
  // Who is suspended could open none of it. It comes with the first mail afterwards.
  if (!user || (await findActiveSuspension(db, userId))) return null
  const news = await queries.countNews(db, user, waiting)
  if (news.size === 0) return null
  const { publicUrl } = config
  const courses = await readCourses(db, user, [...news.keys()])
  return courseNewsMail(user.email, user.name, publicUrl, {
    news: courses.map(({ key, courseCode, name }) => ({
      course: name === null ? courseCode : `${courseCode} ${name}`,
      notes: news.get(key) ?? 0,
      link: `${publicUrl}/courses/${encodeURIComponent(key)}`,
    })),
    frequency: waiting.frequency,
    unsubscribeLink: `${publicUrl}/unsubscribe?token=${unsubscribeToken(secret, waiting.id)}`,
  })
}
