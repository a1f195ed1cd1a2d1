import { sql } from 'kysely'
import type { Rule } from '../../../packages/contract/moderation-rules.ts'
import type { NoteEdit } from '../../../packages/contract/notes.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { lockUser } from '../accounts/users/users.ts'
import { foldVersion, titleWords } from '../search/text-analysis/fold.ts'
import { insertDocuments, type NewDocument } from '../uploads/documents/documents.ts'
import { asChange, columnsOf, type Editable, isStill, type NoteChange, selectProperties } from './properties.ts'
import { accessibleNotes, ownNotes, visibleNotes, willReturn } from './visible-notes.ts'

export type NewNote = NoteEdit & {
  userId: string
  title: string
  /** The hash of the file as the author sent it; null if the server made the file. */
  sourceSha256: Buffer | null
  document: NewDocument
  /** The sort time in the owner's own list; the creation time if omitted. */
  listedAt?: Date
}

/**
 * Inserts notes whose files are already stored.
 * @param insertedDocuments the ids of their documents, if these are inserted already.
 * @returns the note ids in the order of `notes`.
 */
export async function insertNotes(tx: Tx, notes: NewNote[], insertedDocuments?: string[]): Promise<string[]> {
  const documents = notes.map((note) => note.document)
  const documentIds = insertedDocuments ?? (await insertDocuments(tx, documents))
  const rows = await tx
    .insertInto('notes')
    .values(
      notes.map(({ userId, sourceSha256, listedAt, ...properties }, at) => ({
        user_id: userId,
        source_sha256: sourceSha256,
        own_sort_at: listedAt ?? null,
        ...columnsOf(asChange(properties)),
        document_id: documentIds[at] ?? '',
      })),
    )
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

export async function findNoteFile(db: Db, viewer: Viewer, noteId: string) {
  const row = await db
    .selectFrom(accessibleNotes(viewer).as('n'))
    .innerJoin('documents as d', 'd.id', 'n.document_id')
    .select(['n.title', 'n.is_anonymous as isAnonymous', 'd.file_key as fileKey', 'd.bytes as fileBytes'])
    .where('n.id', '=', noteId)
    .executeTakeFirst()
  return row ?? null
}

export type OwnNote = Editable & { documentId: string; fileKey: string }

export async function findOwnNote(db: Db, viewer: Viewer, noteId: string): Promise<OwnNote | null> {
  const row = await db
    .selectFrom(ownNotes(viewer).as('n'))
    .innerJoin('documents as d', 'd.id', 'n.document_id')
    .select(selectProperties)
    .select(['d.id as documentId', 'd.file_key as fileKey'])
    .where('n.id', '=', noteId)
    .$castTo<OwnNote>()
    .executeTakeFirst()
  return row ?? null
}

/** Returns the user's newest note that was uploaded as this file. */
export async function findNoteBySource(db: Db, userId: string, sha256: Buffer): Promise<string | null> {
  const row = await db
    .selectFrom('notes')
    .select('id')
    .where('user_id', '=', userId)
    .where('source_sha256', '=', sha256)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

export type Anonymised = { replacedDocumentId: string; document: NewDocument }

/**
 * @param given.anonymised set when the note becomes anonymous. The note is only changed while it still has the document
 *   that was anonymised, which is then deleted.
 * @param given.only changes the note only while its details still equal these.
 * @returns false when the user has no such note, or it was changed in the meantime.
 */
export async function updateOwnNote(
  tx: Tx,
  userId: string,
  noteId: string,
  change: NoteChange,
  { anonymised, only }: { anonymised?: Anonymised | undefined; only?: Editable | undefined } = {},
): Promise<boolean> {
  let update = tx
    .updateTable('notes')
    .set({ ...columnsOf(change), ...(change.isAnonymous && unhideLater) })
    .where('id', '=', noteId)
    .where('user_id', '=', userId)
  if (only) update = update.where(isStill(only))
  if (anonymised) {
    await lockDocument(tx, anonymised.replacedDocumentId)
    const [documentId] = await insertDocuments(tx, [anonymised.document])
    update = update.set({ document_id: documentId }).where('document_id', '=', anonymised.replacedDocumentId)
  } else if (change.isAnonymous) {
    // A note must not become anonymous unless its file is rewritten.
    update = update.where('is_anonymous', '=', true)
  }
  const { numUpdatedRows } = await update.executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  if (anonymised) await tx.deleteFrom('documents').where('id', '=', anonymised.replacedDocumentId).execute()
  return true
}

/**
 * For a note that becomes anonymous. The locked row decides, because a suspension may have hidden the note meanwhile.
 */
const unhideLater = {
  due_at: sql<Date | null>`CASE WHEN hidden_by_suspension THEN now() + random() * interval '7 days' ELSE due_at END`,
  hidden_at: sql<Date | null>`CASE WHEN hidden_by_suspension THEN now() ELSE hidden_at END`,
  hidden_reason: sql<
    string | null
  >`CASE WHEN hidden_by_suspension THEN 'It will be shown again.' ELSE hidden_reason END`,
  hidden_by_suspension: false,
}

export async function findAnonymousTitles(tx: Tx, userId: string): Promise<{ id: string; title: string }[]> {
  return await tx
    .selectFrom('notes')
    .select(['id', 'title'])
    .where('user_id', '=', userId)
    .where('is_anonymous', '=', true)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Updates all titles in one statement, because each statement locks its suggestions in order. */
export async function updateTitles(tx: Tx, titles: { id: string; title: string }[]): Promise<void> {
  const column = (values: string[]) => sql`${values}::text[]`
  await sql`
    UPDATE notes SET title = new.title, title_words = new.words::tsvector, fold_version = ${foldVersion}
      FROM unnest(${column(titles.map(({ id }) => id))}, ${column(titles.map(({ title }) => title))},
                  ${column(titles.map(({ title }) => titleWords(title)))}) AS new (id, title, words)
     WHERE notes.id = new.id::uuid`.execute(tx)
}

const lockDocument = (tx: Tx, id: string) =>
  tx.selectFrom('documents').select('file_key').where('id', '=', id).forUpdate().executeTakeFirst()

/** Deletes the note with its document. @returns the key of its file, or null when the user has no such note. */
export async function deleteOwnNote(tx: Tx, userId: string, noteId: string): Promise<string | null> {
  await lockUser(tx, userId)
  const ownNote = tx.selectFrom('notes').select('document_id').where('id', '=', noteId).where('user_id', '=', userId)
  const note = await ownNote.executeTakeFirst()
  if (!note) return null
  const document = await lockDocument(tx, note.document_id)
  // The document was replaced in the meantime.
  if (!document) return deleteOwnNote(tx, userId, noteId)
  const { numDeletedRows } = await tx.deleteFrom('notes').where('id', '=', noteId).executeTakeFirst()
  return numDeletedRows === 1n ? document.file_key : null
}

/** Locks the note until the transaction ends and returns its owner. Null if the viewer may not see the note. */
export async function lockVisibleNote(
  tx: Tx,
  viewer: Viewer,
  noteId: string,
): Promise<{ ownerId: string | null } | null> {
  const row = await tx
    .selectFrom(visibleNotes(viewer).as('n'))
    .select('user_id as ownerId')
    .where('id', '=', noteId)
    .forShare()
    .executeTakeFirst()
  return row ?? null
}

export type LockedNote = Editable & { ownerId: string | null; isHidden: boolean; willReturn: boolean }

/** Locks a note that the viewer may open by its id, hidden ones included, for a caller that changes it. */
export async function lockReachableNote(tx: Tx, viewer: Viewer, noteId: string): Promise<LockedNote | null> {
  const row = await tx
    .selectFrom(accessibleNotes(viewer).as('n'))
    .select(selectProperties)
    .select('user_id as ownerId')
    .select([sql<boolean>`hidden_at IS NOT NULL`.as('isHidden'), willReturn.as('willReturn')])
    .where('id', '=', noteId)
    .forNoKeyUpdate()
    .$castTo<LockedNote>()
    .executeTakeFirst()
  return row ?? null
}

/** Changes the details that a moderator may correct. */
export async function correctNote(tx: Tx, noteId: string, change: NoteChange): Promise<void> {
  await tx.updateTable('notes').set(columnsOf(change)).where('id', '=', noteId).execute()
}

/** The owner and title of a note, for a mail only; they must not appear in a response or log. */
export async function findNoteOwner(db: Db, noteId: string): Promise<{ ownerId: string | null; title: string } | null> {
  const select = db.selectFrom('notes').select(['user_id as ownerId', 'title'])
  return (await select.where('id', '=', noteId).executeTakeFirst()) ?? null
}

/**
 * Hides a note from all users except its owner and the moderators.
 * @param hiding null shows the note again.
 */
export async function setHidden(tx: Tx, noteId: string, hiding: { rule: Rule; reason: string } | null): Promise<void> {
  const hidden_at = hiding && sql<Date>`now()`
  const columns = { hidden_at, hidden_rule: hiding?.rule ?? null, hidden_reason: hiding?.reason ?? null }
  await tx
    .updateTable('notes')
    .set({ ...columns, hidden_by_suspension: false, due_at: sql`CASE WHEN user_id IS NULL THEN due_at END` })
    .where('id', '=', noteId)
    .execute()
}

/** Hides the notes that a suspended user shares by name. Notes that are already hidden keep their own reason. */
export async function hideAttributedNotes(tx: Tx, userId: string): Promise<void> {
  await lockNotes(tx, userId)
  await tx
    .updateTable('notes')
    .set({
      hidden_at: sql<Date>`now()`,
      hidden_rule: 'other',
      hidden_reason: 'The account that shared it is suspended.',
      hidden_by_suspension: true,
      due_at: null,
    })
    .where('user_id', '=', userId)
    .where('is_anonymous', '=', false)
    .where((note) => note.or([note('hidden_at', 'is', null), note('due_at', 'is not', null)]))
    .execute()
}

/** Shows the notes again that the suspension hid, unless a moderator has changed that since. */
export async function restoreSuspendedNotes(tx: Tx, userId: string): Promise<void> {
  await lockNotes(tx, userId)
  await tx
    .updateTable('notes')
    .set({ hidden_at: null, hidden_rule: null, hidden_reason: null, hidden_by_suspension: false })
    .where('user_id', '=', userId)
    .where('hidden_by_suspension', '=', true)
    .execute()
}

const lockNotes = (tx: Tx, userId: string) =>
  tx.selectFrom('notes').select('id').where('user_id', '=', userId).orderBy('id').forNoKeyUpdate().execute()

/** Returns the notes that a user shares by name. */
export async function findAttributedNotes(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('notes')
    .select('id')
    .where('user_id', '=', userId)
    .where('is_anonymous', '=', false)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export function findFilesOfUser(db: Db, userId: string) {
  return db
    .selectFrom('notes')
    .innerJoin('documents as d', 'd.id', 'document_id')
    .select(['notes.id as noteId', 'd.file_key as fileKey', 'd.bytes'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('notes.id')
    .execute()
}

/** Deletes or shows one due note per call, so that after an outage the notes of one author do not change together. */
export async function settleDueNote(tx: Tx): Promise<void> {
  const isDue = sql<boolean>`due_at <= now()`
  const notes = tx.selectFrom('notes').select(['id', 'document_id', 'user_id']).where(isDue).orderBy('due_at')
  const note = await notes.limit(1).executeTakeFirst()
  if (!note) return
  if (note.user_id !== null) {
    const shown = { hidden_at: null, hidden_rule: null, hidden_reason: null, due_at: null }
    await tx
      .updateTable('notes')
      .set(shown)
      .where('id', '=', note.id)
      .where('user_id', '=', note.user_id)
      .where(isDue)
      .execute()
    return
  }
  await lockDocument(tx, note.document_id)
  await tx.deleteFrom('notes').where('id', '=', note.id).where(isDue).execute()
}

/**
 * Keeps anonymous notes after the deletion of their author. Also removes owner-only data: the list position and the
 * hash of the original file. Notes that a suspension has hidden are left to the moderators.
 * @param isDeleted deletes each note at a random time within thirty days.
 */
export async function detachAnonymousNotes(
  tx: Tx,
  userId: string,
  { isDeleted }: { isDeleted: boolean },
): Promise<void> {
  const dueAt = isDeleted ? sql<Date>`now() + random() * interval '30 days'` : null
  await tx
    .updateTable('notes')
    .set({ user_id: null, source_sha256: null, own_sort_at: null, hidden_by_suspension: false, due_at: dueAt })
    .where('user_id', '=', userId)
    .where('is_anonymous', '=', true)
    .execute()
}

/** Deletes the notes with their documents; the sweep deletes the files. */
export async function deleteNotesOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('notes').where('user_id', '=', userId).execute()
}
