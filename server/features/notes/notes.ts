import { messages } from '../../../packages/contract/fields.ts'
import { academicYears } from '../../../packages/contract/limits.ts'
import type { Note, NoteEdit } from '../../../packages/contract/notes.ts'
import type { Deps } from '../../dependencies.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { rejectOnAbort } from '../../platform/db/waiting.ts'
import { ApiError, fail } from '../../platform/http/api-error.ts'
import { refuseOutdated } from '../../platform/http/versions.ts'
import { deleteFiles, openPendingFiles } from '../../platform/storage/file-deletions.ts'
import { findUser, getUser, lockUser, type User } from '../accounts/users/users.ts'
import { findActiveSuspension } from '../moderation/suspensions/active-suspension.ts'
import { enqueueProcessing } from '../uploads/documents/enqueue-processing.ts'
import { admitAnonymised, storeFile } from '../uploads/documents/ingest.ts'
import * as queries from './notes.queries.ts'
import { removeAuthorWords } from './title.ts'
import { type Editable, findNote, findNotesById, versionOf } from './visible-notes.ts'

/** Stores notes whose files are stored. Uploads call it in their transaction. */
export const { insertNotes } = queries
export type NewNote = queries.NewNote

export type NoteDeps = Pick<Deps, 'db' | 'files' | 'spool' | 'pdf' | 'jobs' | 'config' | 'log'>

/** @throws invalid_input for an academic year that forms do not offer. */
export function refuseUnofferedYear(academicYear: string, startMonth: number): void {
  if (academicYears(new Date(), startMonth).includes(academicYear)) return
  fail('invalid_input', { fields: { academicYear: messages.academicYear } })
}

/** @throws note_not_found */
export const getNote = async (db: Db, viewer: Viewer, noteId: string): Promise<Note> =>
  (await findNote(db, viewer, noteId)) ?? fail('note_not_found')

/** The newest note of the viewer that was shared as this very file. Notes of others are not looked at. */
export async function findSameFile(db: Db, viewer: Viewer, sha256: string): Promise<Note | null> {
  const noteId = await queries.findNoteBySource(db, viewer.id, Buffer.from(sha256, 'hex'))
  return noteId === null ? null : findNote(db, viewer, noteId)
}

/** Another edit of the same note may win this often before we give up. */
const maxAttempts = 5
/** The pages wait 30 s for an answer: after that they say that nothing was changed, and nothing may be. */
const editTimeoutMs = 25_000

/**
 * Replaces a note's details, and its title where one is given: an instructor that is left out is removed.
 * The author's name is taken out of the title of a note that is or becomes anonymous.
 * @throws as `changeNote`
 */
export async function editNote(
  deps: NoteDeps,
  viewer: Viewer,
  noteId: string,
  edit: NoteEdit,
  givenUp: AbortSignal,
  ifMatch?: string,
): Promise<Note> {
  return changeNote(deps, viewer, noteId, { ...edit, instructor: edit.instructor ?? null }, givenUp, { ifMatch })
}

/**
 * Changes the details that are given. What is left out is not written, so that it stays what another edit makes of it
 * meanwhile. A note that becomes anonymous gets a rewritten file under a new key; it stays when the note is shown with its
 * author again, since what is gone cannot leak.
 * @param givenUp aborts when nobody waits for the answer any more.
 * @throws note_not_found, outdated, invalid_input, cannot_anonymise, file_missing, busy
 */
export async function changeNote(
  deps: NoteDeps,
  viewer: Viewer,
  noteId: string,
  change: queries.NoteChange,
  givenUp: AbortSignal,
  { ifMatch, timeoutMs = editTimeoutMs }: { ifMatch?: string | undefined; timeoutMs?: number } = {},
): Promise<Note> {
  const { db } = deps
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([givenUp, timeout])
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const note = (await queries.findOwnNote(db, viewer, noteId)) ?? fail('note_not_found')
      refuseOutdated(ifMatch, versionOf(noteId, note))
      const only = ifMatch === undefined ? undefined : note
      if (change.academicYear !== undefined && change.academicYear !== note.academicYear) {
        refuseUnofferedYear(change.academicYear, deps.config.academicYearStartMonth)
      }
      const changed =
        change.isAnonymous && !note.isAnonymous
          ? await anonymiseNote(deps, viewer, signal, noteId, note, change, only)
          : await inTransaction(db, (tx) => updateNote(tx, viewer, noteId, change, only))
      if (changed) return await getNote(db, viewer, noteId)
    }
  } catch (error) {
    if (error !== timeout.reason) throw error
  }
  fail('busy', { retryAfterSeconds: 1 })
}

/** @returns false when there is no such note any more, or not as it is to be `only`. */
async function updateNote(
  tx: Tx,
  { id }: Viewer,
  noteId: string,
  change: queries.NoteChange,
  only: Editable | undefined,
): Promise<boolean> {
  const { title: given, isAnonymous } = change
  // An author who was suspended or began to leave meanwhile shows no note by name.
  if (isAnonymous === false) await lockAuthor(tx, id)
  const title = given !== undefined && isAnonymous ? await redactTitle(tx, id, given) : given
  return queries.updateOwnNote(tx, id, noteId, { ...change, title }, { only })
}

/** @returns false when the note was changed or deleted meanwhile, and nothing was done. */
async function anonymiseNote(
  deps: NoteDeps,
  viewer: Viewer,
  signal: AbortSignal,
  noteId: string,
  note: queries.OwnNote,
  change: queries.NoteChange,
  only: Editable | undefined,
): Promise<boolean> {
  const { db, files, jobs, log } = deps
  const { id: userId } = viewer
  const folder = await deps.spool.openFolder()
  const pending = openPendingFiles(db, files, log)
  try {
    const author = await getUser(db, userId)
    const wish = { name: note.title, author }
    const admitted = await admitAnonymised(deps, { userId, signal }, folder, note.fileKey, wish)
    if (!admitted) {
      // Replaced or deleted meanwhile, unless the note still says that it has it.
      const now = await queries.findOwnNote(db, viewer, noteId)
      if (now?.fileKey === note.fileKey) fail('file_missing')
      return false
    }
    const document = await storeFile(pending, admitted, signal)
    await inTransaction(db, async (tx) => {
      const title = await redactTitle(tx, userId, change.title ?? note.title)
      const anonymised = { replacedDocumentId: note.documentId, document }
      if (!(await queries.updateOwnNote(tx, userId, noteId, { ...change, title }, { anonymised, only })))
        throw new ConcurrentEditError()
      await enqueueProcessing(jobs, tx, [document.fileKey])
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

/** Whoever suspends or deletes the account comes before or after this transaction. @throws unauthorized */
export async function lockAuthor(tx: Tx, userId: string): Promise<void> {
  await lockUser(tx, userId)
  if ((await getUser(tx, userId)).isLeaving || (await findActiveSuspension(tx, userId))) fail('unauthorized')
}

/** The title of a note that is anonymous, by what its author is called until the transaction has ended. */
export async function redactTitle(tx: Tx, userId: string, title: string): Promise<string> {
  await lockUser(tx, userId)
  const author = await findUser(tx, { id: userId })
  // Whose notes have gone, too.
  return author ? removeAuthorWords(title, author) : title
}

/** Tidying goes on when nobody waits for it any more: a storage that hangs must not keep the answer. */
const unlessAborted = (signal: AbortSignal, tidied: Promise<unknown>) =>
  Promise.race([tidied, rejectOnAbort(signal).catch(() => {})])

/** Rolls back what was written before it was noticed. */
class ConcurrentEditError extends Error {}

/** @throws note_not_found */
export async function deleteNote(deps: NoteDeps, viewer: Viewer, noteId: string): Promise<void> {
  const fileKey = await inTransaction(deps.db, (tx) => queries.deleteOwnNote(tx, viewer.id, noteId))
  await deleteFileOrDefer(deps, fileKey ?? fail('note_not_found'))
}

/** Takes the words that name somebody out of the titles of their anonymous notes, when they are called otherwise now. */
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

/** Where no page waits, a file may take as long as its process is let. */
const patientTimeoutMs = 5 * 60_000

/**
 * Takes their author from notes that were shared by name, each as an edit to anonymous does. What cannot be made
 * anonymous is deleted.
 * @throws busy, where a later attempt may succeed
 */
export async function anonymiseNotesOfUser(deps: NoteDeps, author: Viewer, signal: AbortSignal): Promise<void> {
  const isHopeless = ({ code }: ApiError) => code === 'cannot_anonymise' || code === 'file_missing'
  for (const id of await queries.findAttributedNotes(deps.db, author.id)) {
    const edited = changeNote(deps, author, id, { isAnonymous: true }, signal, { timeoutMs: patientTimeoutMs }).catch(
      (error) => {
        if (!(error instanceof ApiError && isHopeless(error))) throw error
        return deleteNote(deps, author, id)
      },
    )
    // Another run of the job was quicker.
    await edited.catch((error) => {
      if (!(error instanceof ApiError && error.code === 'note_not_found')) throw error
    })
  }
}

/** Anonymous notes that outlive their author's account, for good or until each is deleted at a random time. */
export const { detachAnonymousNotes } = queries

/** Whose it is; until the transaction ends it stays as it is. Null where the viewer may not know of it. */
export const lockVisibleNote: (tx: Tx, viewer: Viewer, noteId: string) => Promise<{ ownerId: string | null } | null> =
  queries.holdVisibleNote

export type LockedNote = queries.HeldNote

/** The same of what the viewer may open by its id, for who is about to change it. */
export const lockReachableNote: (tx: Tx, viewer: Viewer, noteId: string) => Promise<LockedNote | null> =
  queries.lockReachableNote

/** Puts right what somebody else than its author may. */
export const correctNote: (tx: Tx, noteId: string, change: queries.NoteChange) => Promise<void> = queries.updateNote

/** Whose a note is and what it is called, for a mail: in no answer and no log. */
export const findNoteOwner: (db: Db, noteId: string) => Promise<{ ownerId: string | null; title: string } | null> =
  queries.findAddressee

/** Takes a note out of everybody's sight but its owner's and the moderators', or brings it back, in this transaction. */
export const setHidden: (tx: Tx, noteId: string, hiding: queries.HideReason | null) => Promise<void> =
  queries.updateHidden

/** Takes what somebody shares by name out of everybody's sight while they are suspended: see `setHidden`. */
export const setHiddenBySuspension = (tx: Tx, userId: string): Promise<void> =>
  queries.hideAttributedNotes(tx, userId, { rule: 'other', reason: 'The account that shared it is suspended.' })

/** What moderators decided meanwhile stays as they decided. */
export const restoreSuspendedNotes: (tx: Tx, userId: string) => Promise<void> = queries.unhideSuspendedNotes

/** All notes of the viewer with their files, as they stand among their own. */
export async function listOwnNotes(db: Db, viewer: Viewer): Promise<{ note: Note; fileKey: string; bytes: number }[]> {
  const files = new Map((await queries.findFilesOfUser(db, viewer.id)).map(({ noteId, ...file }) => [noteId, file]))
  const notes = await findNotesById(db, viewer, [...files.keys()])
  return notes.flatMap((note) => {
    const file = files.get(note._id)
    return file ? [{ note, ...file }] : []
  })
}

/** Their documents go with them, and the files are left to the sweep. */
export const removeNotesOfUser: (tx: Tx, userId: string) => Promise<void> = queries.deleteNotesOfUser

/** At once, or by the sweep where that fails. */
async function deleteFileOrDefer({ db, files, log }: NoteDeps, releasedKey: string): Promise<void> {
  await deleteFiles(db, files, [releasedKey]).catch((error) => log.warn({ err: error }, 'A file is left to the sweep'))
}
