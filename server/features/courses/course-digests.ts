import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { DigestFrequency } from '../../../packages/contract/courses.ts'
import type { Deps } from '../../dependencies.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { deriveSecret } from '../../platform/db/secret.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { fail } from '../../platform/http/api-error.ts'
import { defineJob, type JobContext } from '../../platform/jobs/job.ts'
import { handleDeliveryError, isSuppressed, type MailDeps, wasNotTaken } from '../../platform/mail/deliver.ts'
import { courseDigestMail } from '../../platform/mail/emails.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { renderMail } from '../../platform/mail/render-mail.ts'
import { findUser, lockUser } from '../accounts/users/users.ts'
import { findActiveSuspension } from '../moderation/suspensions/active-suspension.ts'
import { visibleNotes } from '../notes/visible-notes.ts'
import { readCourses } from './courses.queries.ts'

export async function getMailChoice(db: Db, userId: string): Promise<DigestFrequency> {
  const row = await db.selectFrom('course_digests').select('frequency').where('user_id', '=', userId).executeTakeFirst()
  return (row?.frequency ?? 'none') as DigestFrequency
}

export async function setDigestFrequency(db: Db, userId: string, choice: DigestFrequency): Promise<DigestFrequency> {
  await inTransaction(db, async (tx) => {
    await lockUser(tx, userId)
    // A user who turns digests on is informed only of later notes.
    await sql`
      INSERT INTO course_digests AS m (user_id) VALUES (${userId})
      ON CONFLICT (user_id) DO UPDATE
         SET notified_until = CASE WHEN m.frequency IS NULL THEN now() ELSE m.notified_until END`.execute(tx)
    const frequency = choice === 'none' ? null : choice
    await sql`
      UPDATE course_digests SET frequency = given.frequency, due_at = given.due_at
        FROM (SELECT frequency, ${nextDueAt} AS due_at FROM (VALUES (${frequency}::text)) AS f (frequency)) AS given
       WHERE user_id = ${userId}`.execute(tx)
  })
  return choice
}

/** @throws unsubscribe_link_invalid */
export async function unsubscribe({ db, secret }: Pick<Deps, 'db' | 'secret'>, token: string): Promise<void> {
  const id = readUnsubscribeToken(secret, token) ?? fail('unsubscribe_link_invalid')
  await db.updateTable('course_digests').set({ frequency: null, due_at: null }).where('id', '=', id).execute()
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
      const mails = await planDueDigests(tx, plannedAtOnce)
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
export async function sendDigest(deps: MailDeps, planned: Planned, job: JobContext): Promise<void> {
  const { db } = deps
  const waiting = await findPendingDigest(db, planned)
  const mail = waiting && (await writeMail(deps, planned.userId, waiting))
  if (!waiting || !mail || (await isSuppressed(deps, mail)) || !(await markDigestStarted(db, planned))) return
  try {
    await deps.mailer.send({ ...mail, messageId: job.jobId })
  } catch (error) {
    if (wasNotTaken(error)) await unmarkDigestStarted(db, planned)
    throw await handleDeliveryError(deps, error, mail, job)
  }
  await saveNotifiedUntil(db, planned.userId, waiting.until)
}

/** @returns null if there are no new notes. */
async function writeMail(
  { db, secret, config }: MailDeps,
  userId: string,
  waiting: PendingDigest,
): Promise<Mail | null> {
  const user = await findUser(db, { id: userId })
  // A suspended user could not open the notes; the first digest after the suspension includes them.
  if (!user || (await findActiveSuspension(db, userId))) return null
  const news = await countNews(db, user, waiting)
  if (news.size === 0) return null
  const courses = (await readCourses(db, user, [...news.keys()])).map(({ key, courseCode, name }) => ({
    course: name === null ? courseCode : `${courseCode} ${name}`,
    notes: news.get(key) ?? 0,
    link: `/courses/${encodeURIComponent(key)}`,
  }))
  const unsubscribeLink = `/unsubscribe?token=${unsubscribeToken(secret, waiting.id)}`
  const letter = courseDigestMail(courses, waiting.frequency, unsubscribeLink)
  return renderMail({ to: user, ...letter }, config.publicUrl)
}

type Frequency = 'daily' | 'weekly'

/** Mails are due at 6:00 UTC, weekly ones on Monday. */
const nextDueAt = sql`CASE frequency
  WHEN 'daily' THEN date_trunc('day', now() - interval '6 hours', 'UTC') + interval '30 hours'
  WHEN 'weekly' THEN date_trunc('week', now() - interval '6 hours', 'UTC') + interval '174 hours' END`

/** A user's digest by its sequence number. */
type Planned = { userId: string; number: number }

/** Plans the next digest of at most `limit` users whose digest is due, each in one transaction only. */
async function planDueDigests(tx: Tx, limit: number): Promise<Planned[]> {
  const { rows } = await sql<Planned>`
    UPDATE course_digests m SET last_planned = m.last_planned + 1, due_at = ${nextDueAt}
      FROM (SELECT id FROM course_digests WHERE due_at <= now() ORDER BY due_at LIMIT ${sql.lit(limit)} FOR UPDATE SKIP LOCKED) due
     WHERE m.id = due.id
    RETURNING m.user_id AS "userId", m.last_planned AS number`.execute(tx)
  return rows
}

type PendingDigest = { id: string; frequency: Frequency; notifiedUntil: Date; until: Date }

/** Newer notes may belong to transactions that are not committed yet; they are left to the next digest. */
const settledAfter = sql`interval '1 minute'`

/** Returns null if the digest was started, a later one was planned, or digests were turned off. */
async function findPendingDigest(db: Db, { userId, number }: Planned): Promise<PendingDigest | null> {
  const { rows } = await sql<PendingDigest>`
    SELECT id, frequency, notified_until AS "notifiedUntil", now() - ${settledAfter} AS until FROM course_digests
     WHERE user_id = ${userId} AND last_planned = ${number} AND last_started < ${number} AND frequency IS NOT NULL`.execute(
    db,
  )
  return rows[0] ?? null
}

/** @returns false if the digest was started before, so that it may have been sent, or is no longer wanted. */
async function markDigestStarted(db: Db, { userId, number }: Planned): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE course_digests SET last_started = ${number}
     WHERE user_id = ${userId} AND last_planned = ${number} AND last_started < ${number} AND frequency IS NOT NULL`.execute(
    db,
  )
  return numAffectedRows === 1n
}

/** Call this only if the mail was certainly not sent. */
async function unmarkDigestStarted(db: Db, { userId, number }: Planned): Promise<void> {
  await sql`UPDATE course_digests SET last_started = last_started - 1 WHERE user_id = ${userId} AND last_started = ${number}`.execute(
    db,
  )
}

async function saveNotifiedUntil(db: Db, userId: string, until: Date): Promise<void> {
  await db
    .updateTable('course_digests')
    .set({ notified_until: sql<Date>`greatest(notified_until, ${until})` })
    .where('user_id', '=', userId)
    .execute()
}

/** Counts other users' notes per course since the last digest, or since the viewer followed the course. */
export async function countNews(
  db: Db,
  viewer: Viewer,
  { notifiedUntil, until }: Pick<PendingDigest, 'notifiedUntil' | 'until'>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; notes: number }>`
    SELECT f.course_key AS key, new.notes FROM course_follows f
     CROSS JOIN LATERAL (
       SELECT count(*)::integer AS notes FROM ${visibleNotes(viewer)} n
        WHERE n.course_key = f.course_key AND n.user_id IS DISTINCT FROM ${viewer.id}
          AND n.created_at > greatest(${notifiedUntil}::timestamptz, f.followed_at) AND n.created_at <= ${until}) new
     WHERE f.user_id = ${viewer.id} AND new.notes > 0`.execute(db)
  return new Map(rows.map(({ key, notes }) => [key, notes]))
}

const idBytes = 16

/**
 * The token of an unsubscribe link: the id of the `course_digests` row, which is used nowhere else, and its signature.
 */
export function unsubscribeToken(secret: string, id: string): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex')
  return Buffer.concat([bytes, seal(secret, bytes)]).toString('base64url')
}

/** @returns the id, or null if the signature is invalid. */
function readUnsubscribeToken(secret: string, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url')
  const [id, given] = [bytes.subarray(0, idBytes), bytes.subarray(idBytes)]
  const expected = seal(secret, id)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const seal = (secret: string, id: Buffer) =>
  createHmac('sha256', deriveSecret(secret, 'unsubscribe')).update(id).digest().subarray(0, idBytes)
