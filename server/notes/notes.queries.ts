import { sql } from 'kysely'
import { foldCourseCode } from '../../contract/course-code.ts'
import type { Db, Tx } from '../db/pool.ts'
import { foldWords } from './fold.ts'
import { visibleNotes } from './visible-notes.ts'

export type NoteDetails = {
  courseCode: string
  academicYear: string
  instructor: string | undefined
  isAnonymous: boolean
}

export type NewNote = NoteDetails & {
  userId: string
  title: string
  file: { key: string; bytes: number; sha256: Buffer }
}

export async function insertNotes(tx: Tx, notes: NewNote[]): Promise<string[]> {
  const rows = await tx
    .insertInto('notes')
    .values(
      notes.map(({ userId, title, file, ...details }) => ({
        user_id: userId,
        ...detailColumns(details),
        ...titleColumns(title),
        ...fileColumns(file),
      })),
    )
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** What is needed to send a note's file. */
export async function findNoteFile(db: Db, viewerId: string, noteId: string) {
  const row = await db
    .selectFrom(visibleNotes(viewerId).as('n'))
    .select(['title', 'file_key as fileKey', 'file_bytes as fileBytes'])
    .where('id', '=', noteId)
    .executeTakeFirst()
  return row ?? null
}

export async function findOwnNote(db: Db, userId: string, noteId: string) {
  const row = await db
    .selectFrom(visibleNotes(userId).as('n'))
    .select(['title', 'academic_year as academicYear', 'is_anonymous as isAnonymous', 'file_key as fileKey'])
    .where('id', '=', noteId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

/**
 * @param anonymised the new title and file of a note that becomes anonymous. The note is then only changed while it
 *   still has the file that was anonymised.
 * @returns false when the user has no such note, or it was changed meanwhile.
 */
export async function updateOwnNote(
  db: Db,
  userId: string,
  noteId: string,
  details: NoteDetails,
  anonymised?: { replacedKey: string; title: string; file: NewNote['file'] },
): Promise<boolean> {
  let update = db
    .updateTable('notes')
    .set(detailColumns(details))
    .where('id', '=', noteId)
    .where('user_id', '=', userId)
  if (anonymised) {
    update = update
      .set({ ...titleColumns(anonymised.title), ...fileColumns(anonymised.file) })
      .where('file_key', '=', anonymised.replacedKey)
  } else if (details.isAnonymous) {
    // A note that is not anonymous yet must not become so without its file being rewritten.
    update = update.where('is_anonymous', '=', true)
  }
  const { numUpdatedRows } = await update.executeTakeFirst()
  return numUpdatedRows === 1n
}

/** @returns the key of the file the note had, or null when the user has no such note. */
export async function deleteOwnNote(tx: Tx, userId: string, noteId: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('notes')
    .where('id', '=', noteId)
    .where('user_id', '=', userId)
    .returning('file_key')
    .executeTakeFirst()
  return row?.file_key ?? null
}

/** @returns the keys of their files. */
export async function deleteNotesOfUser(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.deleteFrom('notes').where('user_id', '=', userId).returning('file_key').execute()
  return rows.map((row) => row.file_key)
}

const detailColumns = ({ courseCode, academicYear, instructor, isAnonymous }: NoteDetails) => ({
  course_code: courseCode,
  course_key: foldCourseCode(courseCode),
  academic_year: academicYear,
  instructor: instructor ?? null,
  instructor_words: words(instructor ?? ''),
  is_anonymous: isAnonymous,
})

const titleColumns = (title: string) => ({ title, title_words: words(title) })

const fileColumns = ({ key, bytes, sha256 }: NewNote['file']) => ({
  file_key: key,
  file_bytes: bytes,
  file_sha256: sha256,
})

const words = (text: string) => sql<string>`array_to_tsvector(${foldWords(text)}::text[])`
