import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { z } from 'zod'
import { downloadExport } from '../../../../packages/contract/settings.endpoints.ts'
import type { Export } from '../../../../packages/contract/settings.ts'
import type { Deps } from '../../../dependencies.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { hasChangedRow, inSeconds } from '../../../platform/db/sql.ts'
import { inTransaction } from '../../../platform/db/transaction.ts'
import type { Viewer } from '../../../platform/db/viewer.ts'
import { fail } from '../../../platform/http/api-error.ts'
import { defineJob, type JobContext } from '../../../platform/jobs/job.ts'
import { openPendingFiles } from '../../../platform/storage/file-deletions.ts'
import { parseExportLink, signExportLink } from '../../auth/sessions/access-token.ts'
import { readRange, sendContent } from '../../notes/send-note-file.ts'
import { findUser, lockUser } from '../users/users.ts'
import { writeZip } from './write-zip.ts'

const payload = z.object({ exportId: z.uuid() })
export const exportJob = defineJob('export', payload, { timeoutSeconds: 30 * 60 })
export const exportMailJob = defineJob('export-mail', payload)

const keptSeconds = 3 * 24 * 3600
/** An export that is pending for longer counts as failed, because its job may have been given up. */
const endsAt = sql<Date>`coalesce(expires_at, requested_at + interval '3 days')`
/** Each export is a copy of everything that the user has shared. */
const limit = { name: 'export', points: 3, seconds: 24 * 3600 }

export async function describeExport(
  { db, secret }: Pick<Deps, 'db' | 'secret'>,
  { id }: Viewer,
  sessionId: string,
): Promise<Export | null> {
  const found = await findExport(db, id)
  if (!found) return null
  const { askedAt, bytes, expiresAt } = found
  const query = new URLSearchParams({ link: signExportLink(secret, sessionId, found.id) })
  const link = `${downloadExport.path}?${query}`
  return {
    askedAt: askedAt.toISOString(),
    ready: bytes !== null && expiresAt !== null ? { bytes, expiresAt: expiresAt.toISOString(), link } : null,
  }
}

/** Does nothing while an export is pending; otherwise replaces the existing one and its file. @throws rate_limited */
export async function requestExport(
  { db, jobs, rateLimits }: Pick<Deps, 'db' | 'jobs' | 'rateLimits'>,
  { id }: Viewer,
): Promise<void> {
  const isWaiting = (found: Awaited<ReturnType<typeof findExport>>) => found?.fileKey === null
  if (isWaiting(await findExport(db, id))) return
  await rateLimits.consume(limit, id)
  await inTransaction(db, async (tx) => {
    await lockUser(tx, id)
    if (isWaiting(await findExport(tx, id))) return
    await tx.deleteFrom('exports').where('user_id', '=', id).execute()
    const row = await tx.insertInto('exports').values({ user_id: id }).returning('id').executeTakeFirstOrThrow()
    await jobs.enqueue(tx, exportJob, { exportId: row.id })
  })
}

/** Handles `exportJob`. Of two parallel runs, only one keeps its file. */
export async function buildExport(
  deps: Pick<Deps, 'db' | 'files' | 'spool' | 'space' | 'jobs' | 'log'>,
  { exportId }: { exportId: string },
  { signal }: JobContext,
): Promise<void> {
  const { db, files, jobs, log } = deps
  const pendingRow = await db
    .selectFrom('exports')
    .select('user_id')
    .where('id', '=', exportId)
    .where('file_key', 'is', null)
    .executeTakeFirst()
  const owner = pendingRow && (await findUser(db, { id: pendingRow.user_id }))
  if (!owner) return
  const folder = await deps.spool.openFolder()
  const pending = openPendingFiles(db, files, log)
  try {
    const zip = await writeZip(deps, owner, folder, signal)
    const fileKey = await pending.store(zip)
    await inTransaction(db, async (tx) => {
      const finishing = tx
        .updateTable('exports')
        .set({ file_key: fileKey, bytes: zip.bytes, expires_at: inSeconds(keptSeconds) })
        .where('id', '=', exportId)
        .where('file_key', 'is', null)
      if (!(await hasChangedRow(finishing))) return
      await jobs.enqueue(tx, exportMailJob, { exportId })
      await pending.claim(tx, [fileKey])
    })
  } finally {
    await Promise.all([folder.remove(), pending.discard()])
  }
}

const headers = {
  'content-type': 'application/zip',
  'content-disposition': 'attachment; filename="lectern.zip"',
  'cache-control': 'no-store',
}

/** Sends the export, or a range of it, to its owner only, so that an interrupted download can resume. @throws export_not_found */
export async function sendExport(
  { db, files, secret }: Pick<Deps, 'db' | 'files' | 'secret'>,
  request: FastifyRequest & { viewer: Viewer; query: { link?: string | undefined } },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { viewer, query } = request
  const found = await findExport(db, viewer.id)
  const isOther = query.link !== undefined && parseExportLink(secret, query.link)?.exportId !== found?.id
  if (!found?.fileKey || found.bytes === null || isOther) fail('export_not_found')
  // A HEAD request needs only the headers, so the file is not opened.
  const isHead = request.method === 'HEAD'
  const address = isHead ? null : await files.createDownloadUrl(found.fileKey, headers)
  if (address) return reply.redirect(address, 302)
  const etag = `"${found.id}"`
  const asked = readRange(request, etag, found.bytes)
  const range = asked === 'unsatisfiable' ? null : asked
  const content = isHead ? Readable.from([]) : await files.get(found.fileKey, range ?? undefined)
  if (!content) fail('export_not_found')
  return sendContent(reply.headers({ ...headers, etag, 'accept-ranges': 'bytes' }), content, found.bytes, range)
}

/** Returns the user's export unless it has expired or its job has been given up. */
async function findExport(db: Db, userId: string) {
  const row = await db
    .selectFrom('exports')
    .select(['id', 'requested_at as askedAt', 'file_key as fileKey', 'bytes', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where(endsAt, '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row ?? null
}

/** Returns the user to notify and the expiry of the export. */
export async function findFinishedExport(db: Db, id: string): Promise<{ userId: string; expiresAt: Date } | null> {
  const row = await db
    .selectFrom('exports')
    .select(['user_id as userId', 'expires_at as expiresAt'])
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row?.expiresAt ? { userId: row.userId, expiresAt: row.expiresAt } : null
}

export async function deleteOldExports(db: Db): Promise<void> {
  await db.deleteFrom('exports').where(endsAt, '<', sql<Date>`now()`).execute()
}
