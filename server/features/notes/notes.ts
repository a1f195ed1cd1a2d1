import type { ErrorCode } from '../../../packages/contract/errors.ts'
import { messages } from '../../../packages/contract/fields.ts'
import { academicYears } from '../../../packages/contract/limits.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import type { Deps } from '../../dependencies.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { rejectOnAbort } from '../../platform/db/waiting.ts'
import { ApiError, fail } from '../../platform/http/api-error.ts'
import { assertCurrentVersion } from '../../platform/http/versions.ts'
import { deleteFiles, openPendingFiles } from '../../platform/storage/file-deletions.ts'
import { findUser, getUser, lockUser, type User } from '../accounts/users/users.ts'
import { findActiveSuspension } from '../moderation/suspensions/active-suspension.ts'
import { enqueueProcessing } from '../uploads/documents/enqueue-processing.ts'
import { anonymiseStoredFile, storeFile } from '../uploads/documents/ingest.ts'
import * as queries from './notes.queries.ts'
import { type Editable, type NoteChange, versionOf } from './properties.ts'
import { removeAuthorWords } from './title.ts'
import { findNote, joinNotes } from './visible-notes.ts'

/** Queries that other features use as they are. */
export const {
  correctNote,
  deleteNotesOfUser,
  detachAnonymousNotes,
  findNoteOwner,
  hideAttributedNotes,
  insertNotes,
  lockReachableNote,
  lockVisibleNote,
  restoreSuspendedNotes,
  setHidden,
} = queries
export type NewNote = queries.NewNote
export type LockedNote = queries.LockedNote

export type NoteDeps = Pick<Deps, 'db' | 'files' | 'spool' | 'pdf' | 'jobs' | 'config' | 'log'>

/** @throws invalid_input for an academic year that forms do not offer. */
export function assertOfferedYear(academicYear: string, startMonth: number): void {
  if (academicYears(new Date(), startMonth).includes(academicYear)) return
  fail('invalid_input', { fields: { academicYear: messages.academicYear } })
}

/** @throws note_not_found */
export const getNote = async (db: Db, viewer: Viewer, noteId: string): Promise<Note> =>
  (await findNote(db, viewer, noteId)) ?? fail('note_not_found')

/** Returns the viewer's newest note that was uploaded as this file; notes of other users are ignored. */
export async function findSameFile(db: Db, viewer: Viewer, sha256: string): Promise<Note | null> {
  const noteId = await queries.findNoteBySource(db, viewer.id, Buffer.from(sha256, 'hex'))
  return noteId === null ? null : findNote(db, viewer, noteId)
}

/** The number of attempts when other edits of the same note are committed first. */
const maxAttempts = 5
/** Pages wait 30 s and then report that nothing was changed, so the edit must have ended before. */
const editTimeoutMs = 25_000

/**
 * Changes the given details; omitted ones are not written, so concurrent edits of them are kept. The author's name is
 * removed from the title of a note that is or becomes anonymous. A note that becomes
 * anonymous gets a rewritten file under a new key, and keeps it when it is shared by name again, because removed data
 * cannot leak.
 * @param givenUp aborts when the client no longer waits for the response.
 * @throws note_not_found, outdated, invalid_input, cannot_anonymise, upload_too_complex, file_missing, busy
 */
export async function changeNote(
  deps: NoteDeps,
  viewer: Viewer,
  noteId: string,
  change: NoteChange,
  givenUp: AbortSignal,
  { ifMatch, timeoutMs = editTimeoutMs }: { ifMatch?: string | undefined; timeoutMs?: number } = {},
): Promise<Note> {
  const { db } = deps
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([givenUp, timeout])
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const note = (await queries.findOwnNote(db, viewer, noteId)) ?? fail('note_not_found')
      assertCurrentVersion(ifMatch, versionOf(noteId, note))
      const only = ifMatch === undefined ? undefined : note
      if (change.academicYear !== undefined && change.academicYear !== note.academicYear) {
        assertOfferedYear(change.academicYear, deps.config.academicYearStartMonth)
      }
      const changed =
        change.isAnonymous && !note.isAnonymous
          ? await anonymiseNote(deps, viewer, signal, noteId, note, change)
          : await inTransaction(db, (tx) => updateNote(tx, viewer, noteId, change, only))
      if (changed) return await getNote(db, viewer, noteId)
    }
  } catch (error) {
    if (error !== timeout.reason) throw error
  }
  fail('busy', { retryAfterSeconds: 1 })
}

/** @returns false when the note no longer exists, or no longer equals `only`. */
async function updateNote(
  tx: Tx,
  { id }: Viewer,
  noteId: string,
  change: NoteChange,
  only: Editable | undefined,
): Promise<boolean> {
  const { title: given, isAnonymous } = change
  // An author who was suspended or is being deleted cannot show a note by name.
  if (isAnonymous === false) await lockAuthor(tx, id)
  const title = given !== undefined && isAnonymous ? await redactTitle(tx, id, given) : given
  return queries.updateOwnNote(tx, id, noteId, { ...change, title }, { only })
}

/** @returns false when the note was changed or deleted in the meantime, and nothing was done. */
async function anonymiseNote(
  deps: NoteDeps,
  viewer: Viewer,
  signal: AbortSignal,
  noteId: string,
  note: queries.OwnNote,
  change: NoteChange,
): Promise<boolean> {
  const { db, files, jobs, log } = deps
  const { id: userId } = viewer
  const folder = await deps.spool.openFolder()
  const pending = openPendingFiles(db, files, log)
  try {
    const author = await getUser(db, userId)
    const options = { name: note.title, author }
    const admitted = await anonymiseStoredFile(deps, { userId, signal }, folder, note.fileKey, options)
    if (!admitted) {
      // The note was replaced or deleted in the meantime, unless it still refers to the file.
      const now = await queries.findOwnNote(db, viewer, noteId)
      if (now?.fileKey === note.fileKey) fail('file_missing')
      return false
    }
    const document = await storeFile(pending, admitted, signal)
    await inTransaction(db, async (tx) => {
      const title = await redactTitle(tx, userId, change.title ?? note.title)
      const anonymised = { replacedDocumentId: note.documentId, document }
      if (!(await queries.updateOwnNote(tx, userId, noteId, { ...change, title }, { anonymised, only: note })))
        throw new ConcurrentEditError()
      const { documentId } = (await queries.findOwnNote(tx, viewer, noteId)) ?? fail('note_not_found')
      await enqueueProcessing(jobs, tx, [documentId])
      signal.throwIfAborted()
      await pending.claim(tx, [document.fileKey])
    })
    await unlessAborted(signal, deleteFileOrDefer(deps, note.fileKey))
    return true
  } catch (error) {
    if (error instanceof ConcurrentEditError) return false
    throw error
  } finally {
    await unlessAborted(signal, Promise.all([folder.remove(), pending.discard()]))
  }
}

/** Locks the author, so that suspensions and deletions run before or after this transaction. @throws unauthorized */
export async function lockAuthor(tx: Tx, userId: string): Promise<void> {
  await lockUser(tx, userId)
  if ((await getUser(tx, userId)).isDeletionDue || (await findActiveSuspension(tx, userId))) fail('unauthorized')
}

/** Returns the title of an anonymous note without its author's name, which is locked until the transaction ends. */
export async function redactTitle(tx: Tx, userId: string, title: string): Promise<string> {
  await lockUser(tx, userId)
  const author = await findUser(tx, { id: userId })
  // Without the author, the notes no longer exist either.
  return author ? removeAuthorWords(title, author) : title
}

/** Cleanup continues after an abort, but the response does not wait for it: the storage may hang. */
const unlessAborted = (signal: AbortSignal, tidied: Promise<unknown>) =>
  Promise.race([tidied, rejectOnAbort(signal).catch(() => {})])

/** Rolls back the transaction of an edit that another edit preceded. */
class ConcurrentEditError extends Error {}

/** @throws note_not_found */
export async function deleteNote(deps: NoteDeps, viewer: Viewer, noteId: string): Promise<void> {
  const fileKey = await inTransaction(deps.db, (tx) => queries.deleteOwnNote(tx, viewer.id, noteId))
  await deleteFileOrDefer(deps, fileKey ?? fail('note_not_found'))
}

/** Removes the author's current name and address from the titles of their anonymous notes, after either has changed. */
export async function redactAuthorFromTitles(tx: Tx, author: User): Promise<void> {
  const titles = (await queries.findAnonymousTitles(tx, author.id)).map(({ id, title }) => ({
    id,
    before: title,
    title: removeAuthorWords(title, author),
  }))
  await queries.updateTitles(
    tx,
    titles.filter(({ before, title }) => title !== before),
  )
}

/** No page waits for this, so a file may take as long as its process may run. */
const patientTimeoutMs = 5 * 60_000

/**
 * Anonymises all notes that a user shares by name, as an edit to anonymous does. Notes that cannot be anonymised are
 * deleted.
 * @throws busy, in which case a later attempt may succeed
 */
export async function anonymiseNotesOfUser(deps: NoteDeps, author: Viewer, signal: AbortSignal): Promise<void> {
  const hopeless: ErrorCode[] = ['cannot_anonymise', 'upload_too_complex', 'file_missing']
  for (const id of await queries.findAttributedNotes(deps.db, author.id)) {
    const edited = changeNote(deps, author, id, { isAnonymous: true }, signal, { timeoutMs: patientTimeoutMs }).catch(
      (error) => {
        if (!(error instanceof ApiError && hopeless.includes(error.code))) throw error
        return deleteNote(deps, author, id)
      },
    )
    // Another run of the job has deleted the note first.
    await edited.catch((error) => {
      if (!(error instanceof ApiError && error.code === 'note_not_found')) throw error
    })
  }
}

/** Returns all notes of the viewer with their files, in order of creation. */
export const listOwnNotes = async (db: Db, viewer: Viewer): Promise<{ note: Note; fileKey: string; bytes: number }[]> =>
  joinNotes(db, viewer, await queries.findFilesOfUser(db, viewer.id))

/** Deletes the file immediately, or leaves it to the sweep if that fails. */
async function deleteFileOrDefer({ db, files, log }: NoteDeps, releasedKey: string): Promise<void> {
  await deleteFiles(db, files, [releasedKey]).catch((error) =>
    log.warn({ err: error }, 'Couldn’t delete a file; the sweep will'),
  )
}
