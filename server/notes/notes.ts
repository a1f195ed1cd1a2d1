import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { messages } from '../../contract/fields.ts'
import { academicYears } from '../../contract/limits.ts'
import type { Note, NoteEdit } from '../../contract/notes.ts'
import type { Tx } from '../db/pool.ts'
import type { Deps } from '../deps.ts'
import { fail } from '../failure.ts'
import { openPendingFiles, type PendingFiles, releaseFile, removeFiles } from '../files/removals.ts'
import { getUser } from '../users/users.ts'
import * as queries from './notes.queries.ts'
import { anonymousTitle } from './title.ts'
import { findNote } from './visible-notes.ts'

type NoteDeps = Pick<Deps, 'db' | 'files' | 'pdf' | 'config' | 'log'>

/** @throws invalid_input for an academic year that forms do not offer. */
export function refuseUnofferedYear(academicYear: string, startMonth: number): void {
  if (academicYears(new Date(), startMonth).includes(academicYear)) return
  fail('invalid_input', { fields: { academicYear: messages.academicYear } })
}

/** Another edit of the same note may win this often before we give up. */
const maxAttempts = 5

/**
 * Replaces a note's details. A note that becomes anonymous gets a rewritten file under a new key and a title
 * without the author's name; both stay when it is shown with its author again, since what is gone cannot leak.
 * @throws note_not_found, invalid_input, cannot_anonymise, file_missing, busy
 */
export async function editNote(deps: NoteDeps, userId: string, noteId: string, details: NoteEdit): Promise<Note> {
  const { db } = deps
  const edit = { ...details, instructor: details.instructor }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const note = (await queries.findOwnNote(db, userId, noteId)) ?? fail('note_not_found')
    if (edit.academicYear !== note.academicYear) {
      refuseUnofferedYear(edit.academicYear, deps.config.academicYearStartMonth)
    }
    const changed =
      edit.isAnonymous && !note.isAnonymous
        ? await anonymiseNote(deps, userId, noteId, note, edit)
        : await queries.updateOwnNote(db, userId, noteId, edit)
    if (changed) return (await findNote(db, userId, noteId)) ?? fail('note_not_found')
  }
  fail('busy', { retryAfterSeconds: 1 })
}

/** @returns false when the note was changed or deleted meanwhile, and nothing was done. */
async function anonymiseNote(
  deps: NoteDeps,
  userId: string,
  noteId: string,
  note: { title: string; fileKey: string },
  edit: queries.NoteDetails,
): Promise<boolean> {
  const { db, files, log } = deps
  const pending = openPendingFiles(db, files, log)
  try {
    const file = await storeAnonymised(deps, pending, note.fileKey, note.title)
    if (!file) {
      // Replaced or deleted meanwhile, unless the note still says that it has it.
      const now = await queries.findOwnNote(db, userId, noteId)
      if (now?.fileKey === note.fileKey) fail('file_missing')
      return false
    }
    const title = anonymousTitle(note.title, await getUser(db, userId))
    const changed = await db.transaction().execute(async (tx) => {
      const anonymised = { replacedKey: note.fileKey, title, file }
      if (!(await queries.updateOwnNote(tx, userId, noteId, edit, anonymised))) return false
      await pending.claim(tx, [file.key])
      await releaseFile(tx, note.fileKey)
      return true
    })
    if (changed) await removeSoon(deps, note.fileKey)
    return changed
  } finally {
    await pending.discard()
  }
}

/** @throws note_not_found */
export async function deleteNote(deps: NoteDeps, userId: string, noteId: string): Promise<void> {
  const fileKey = await deps.db.transaction().execute(async (tx) => {
    const key = (await queries.deleteOwnNote(tx, userId, noteId)) ?? fail('note_not_found')
    await releaseFile(tx, key)
    return key
  })
  await removeSoon(deps, fileKey)
}

/** Their files are left to the sweep. */
export async function removeNotesOfUser(tx: Tx, userId: string): Promise<void> {
  for (const key of await queries.deleteNotesOfUser(tx, userId)) await releaseFile(tx, key)
}

/** At once, or by the sweep where that fails. */
async function removeSoon({ db, files, log }: NoteDeps, releasedKey: string): Promise<void> {
  await removeFiles(db, files, [releasedKey]).catch((error) => log.warn({ err: error }, 'A file is left to the sweep'))
}

/**
 * Stores a copy of a stored PDF without anything that names its author.
 * @param fileName for the message of a refusal.
 * @returns null when there is no file under the key.
 * @throws cannot_anonymise
 */
export async function storeAnonymised(
  { files, pdf }: NoteDeps,
  pending: PendingFiles,
  fileKey: string,
  fileName: string,
): Promise<queries.NewNote['file'] | null> {
  const original = await files.get(fileKey)
  if (!original) return null
  const bytes = await pdf.anonymise(await buffer(original))
  if (!bytes) fail('cannot_anonymise', { values: { fileName } })
  const key = await pending.newKey()
  await files.put(key, Readable.from([bytes]))
  return { key, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest() }
}
