import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { messages } from '../../../packages/contract/fields.ts'
import { type BatchFile, type Note, type UploadFields, uploadFields } from '../../../packages/contract/notes.ts'
import type { Deps } from '../../dependencies.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inSeconds } from '../../platform/db/sql.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { rejectOnAbort } from '../../platform/db/waiting.ts'
import { fail } from '../../platform/http/api-error.ts'
import { createClientAbortSignal } from '../../platform/http/requests.ts'
import { openPendingFiles } from '../../platform/storage/file-deletions.ts'
import type { SpoolFolder } from '../../platform/storage/spool.ts'
import { getUser, lockUser } from '../accounts/users/users.ts'
import { assertOfferedYear, insertNotes, lockAuthor, type NewNote, redactTitle } from '../notes/notes.ts'
import { createTitle } from '../notes/title.ts'
import { findNote, findNotesById } from '../notes/visible-notes.ts'
import { insertDocuments } from './documents/documents.ts'
import { enqueueProcessing } from './documents/enqueue-processing.ts'
import { type IngestContext, type IngestedFile, ingestFile, storeFile } from './documents/ingest.ts'
import { type QuotaReservation, reserveQuota } from './documents/upload-quota.ts'
import { checkUploadHeaders, parseUploadForm, type ReceivedFile } from './upload-form.ts'

type UploadDeps = Pick<Deps, 'db' | 'files' | 'spool' | 'space' | 'scanner' | 'pdf' | 'jobs' | 'config' | 'log'>

/** A note whose file is still on the local disk. */
type AdmittedNote = { title: string; sourceSha256: Buffer; file: IngestedFile }

/**
 * Accepts the parts of an upload in any order and saves all of its files or none. All files are spooled and ingested
 * before any is stored and the notes are inserted, and a failure leaves nothing behind.
 * @returns the notes in the order of the files.
 * @throws the errors of `checkUploadHeaders`, `reserveQuota`, `parseUploadForm` and `ingestFile`, storage_full,
 *   invalid_input, upload_without_file
 */
export async function uploadNotes(
  deps: UploadDeps,
  viewer: Viewer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Note[]> {
  const applicant = { userId: viewer.id, signal: createClientAbortSignal(reply) }
  const announced = checkUploadHeaders(request, deps.config)
  const reservation = await reserveQuota(deps, viewer.id, announced)
  try {
    // An anonymised copy needs as much space as its original, which stays until the end.
    const release = await deps.space.reserve(2 * announced.maxBytes)
    const folder = await deps.spool.openFolder().catch((error) => {
      release()
      throw error
    })
    try {
      // The parser never ends if the connection closes before the first part.
      const form = await Promise.race([parseUploadForm(deps.config, folder, request), rejectOnAbort(applicant.signal)])
      const details = parseFields(form.fields)
      assertOfferedYear(details.academicYear, deps.config.academicYearStartMonth)
      if (form.files.length === 0) fail('upload_without_file')
      for (const field of ['title', 'hiddenNamePages'] as const) {
        if (details[field] !== undefined && form.files.length > 1) {
          fail('invalid_input', { fields: { [field]: messages.ofOneFile } })
        }
      }
      const notes = await admitNotes(deps, applicant, folder, details, form.files)
      await request.recheckUser()
      return await saveNotes(deps, viewer, applicant.signal, reservation, details, notes)
    } finally {
      await folder.remove()
      release()
    }
  } finally {
    await reservation.release()
  }
}

function parseFields(fields: Record<string, unknown>): UploadFields {
  const result = uploadFields.safeParse(fields)
  if (result.success) return result.data
  const problems: Record<string, string> = {}
  for (const issue of result.error.issues) problems[String(issue.path[0])] ??= issue.message
  fail('invalid_input', { fields: problems })
}

async function admitNotes(
  deps: UploadDeps,
  applicant: IngestContext,
  folder: SpoolFolder,
  { title: givenTitle, isAnonymous, hiddenNamePages }: UploadFields,
  received: ReceivedFile[],
): Promise<AdmittedNote[]> {
  const author = isAnonymous ? await getUser(deps.db, applicant.userId) : null
  const notes: AdmittedNote[] = []
  for (const { name, ...spooled } of received) {
    const fileTitle = createTitle(name)
    const file = await ingestFile(deps, applicant, folder, spooled, { name: fileTitle, author, hiddenNamePages })
    notes.push({ title: givenTitle ?? fileTitle, sourceSha256: spooled.sha256, file })
  }
  return notes
}

async function saveNotes(
  deps: UploadDeps,
  viewer: Viewer,
  signal: AbortSignal,
  reservation: QuotaReservation,
  details: UploadFields,
  admitted: AdmittedNote[],
): Promise<Note[]> {
  const { db, files, jobs, log } = deps
  const pending = openPendingFiles(db, files, log)
  try {
    const notes: NewNote[] = []
    for (const { title, sourceSha256, file } of admitted) {
      const document = await storeFile(pending, file, signal)
      notes.push({ ...details, userId: viewer.id, title, sourceSha256, document })
    }
    const documents = notes.map((note) => note.document)
    const fileKeys = documents.map((document) => document.fileKey)
    return await inTransaction(db, async (tx) => {
      await lockAuthor(tx, viewer.id)
      const earlier = await findEarlierNotes(tx, viewer.id, details, notes)
      if (earlier) return findNotesById(tx, viewer, earlier)
      if (details.isAnonymous) {
        for (const note of notes) note.title = await redactTitle(tx, viewer.id, note.title)
      }
      const keptBytes = documents.reduce((sum, document) => sum + document.bytes, 0)
      await reservation.commit(tx, keptBytes)
      const documentIds = await insertDocuments(tx, documents)
      await enqueueProcessing(jobs, tx, documentIds)
      // Late, because notes of one course count its notes, and so wait for each other until the commit.
      const ids = await insertNotes(tx, await inChosenOrder(tx, viewer.id, details, notes), documentIds)
      if (details.batch !== undefined) {
        const settled = notes.map(({ sourceSha256 }, at) => ({ sha256: sourceSha256, noteId: ids[at] ?? null }))
        await insertBatchFiles(tx, viewer.id, details.batch, details.position ?? 0, settled)
      }
      // The notes are read inside the transaction, because nothing may fail after the commit.
      const kept = await findNotesById(tx, viewer, ids)
      signal.throwIfAborted()
      await pending.claim(tx, fileKeys)
      return kept
    })
  } finally {
    await pending.discard()
  }
}

/**
 * Returns the notes of the same files of the same upload if an earlier request saved them but its response was lost.
 * @throws upload_key_used
 */
async function findEarlierNotes(
  tx: Tx,
  userId: string,
  { batch, position = 0 }: UploadFields,
  notes: NewNote[],
): Promise<string[] | null> {
  if (batch === undefined) return null
  const settled = await findBatchFiles(tx, userId, batch, position, notes.length)
  if (settled.length === 0) return null
  return notes.map(({ sourceSha256 }, at) => {
    const { sha256, noteId } = settled[at] ?? {}
    return noteId && sha256 && sourceSha256?.equals(sha256) ? noteId : fail('upload_key_used')
  })
}

/**
 * Reports the result of an uploaded file after its response was lost. If the file is not saved yet, later requests with
 * it are refused, so that the reported result stays true.
 */
export async function settleUpload(db: Db, viewer: Viewer, { batch, position }: BatchFile): Promise<Note | null> {
  return inTransaction(db, async (tx) => {
    // An upload locks the user while it is saved.
    await lockUser(tx, viewer.id)
    const [file] = await findBatchFiles(tx, viewer.id, batch, position, 1)
    if (file) return file.noteId === null ? null : findNote(tx, viewer, file.noteId)
    await beginBatch(tx, viewer.id, batch)
    await insertBatchFiles(tx, viewer.id, batch, position, [{ sha256: null, noteId: null }])
    return null
  })
}

/** My Notes shows the files of one upload in the order in which the user chose them, in one request or in many. */
async function inChosenOrder(
  tx: Tx,
  userId: string,
  { batch, position = 0 }: UploadFields,
  notes: NewNote[],
): Promise<NewNote[]> {
  if (batch === undefined && notes.length === 1) return notes
  const began = await (batch === undefined ? readTransactionTime(tx) : beginBatch(tx, userId, batch))
  return notes.map((note, at) => ({ ...note, listedAt: new Date(began.getTime() - position - at) }))
}

/**
 * @returns when the first request of an upload was saved. Concurrent requests of one upload wait here for each other.
 */
async function beginBatch(tx: Tx, userId: string, batch: string): Promise<Date> {
  const { began_at } = await tx
    .insertInto('upload_batches')
    .values({ user_id: userId, id: batch })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'id']).doUpdateSet((row) => ({ began_at: row.ref('upload_batches.began_at') })),
    )
    .returning('began_at')
    .executeTakeFirstOrThrow()
  return began_at
}

type SettledFile = { sha256: Buffer | null; noteId: string | null }

/** Returns the settled files in order of position. */
async function findBatchFiles(
  tx: Tx,
  userId: string,
  batch: string,
  position: number,
  count: number,
): Promise<SettledFile[]> {
  return await tx
    .selectFrom('batch_files')
    .select(['sha256', 'note_id as noteId'])
    .where('user_id', '=', userId)
    .where('batch_id', '=', batch)
    .where('position', '>=', position)
    .where('position', '<', position + count)
    .orderBy('position')
    .execute()
}

async function insertBatchFiles(
  tx: Tx,
  userId: string,
  batch: string,
  position: number,
  files: SettledFile[],
): Promise<void> {
  const rows = files.map(({ sha256, noteId }, at) => ({ position: position + at, sha256, note_id: noteId }))
  await tx
    .insertInto('batch_files')
    .values(rows.map((row) => ({ user_id: userId, batch_id: batch, ...row })))
    .execute()
}

/** Returns the creation time of rows that this transaction inserts. */
async function readTransactionTime(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT now()::timestamptz(3) AS now`.execute(tx)
  return rows[0]?.now ?? new Date()
}

/** No client retries an upload after this time. */
export async function deleteOldBatches(db: Db): Promise<void> {
  await db
    .deleteFrom('upload_batches')
    .where('began_at', '<', inSeconds(-24 * 3600))
    .execute()
}
