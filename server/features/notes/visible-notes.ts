import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Rule } from '../../../packages/contract/moderation-rules.ts'
import type { DocumentProblem, Note, ProblemReason } from '../../../packages/contract/notes.ts'
import { hasRole } from '../../../packages/contract/roles.ts'
import type { NoteOrder, SortKey } from '../../../packages/contract/search.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Documents, Notes } from '../../platform/db/schema.ts'
import type { Viewer } from '../../platform/db/viewer.ts'
import { selectPublicUsers } from '../accounts/users/users.ts'
import { type Editable, presentProperties, selectProperties, versionOf } from './properties.ts'

/**
 * For FROM: the notes that the viewer may see. All note data in responses is read through this, even if a search found
 * the id elsewhere. `author_id` is null for an anonymous note of another user; `user_id` is for comparisons only.
 * Hidden notes are excluded for all viewers, because the list indexes do not contain them.
 */
export const visibleNotes = (viewer: Viewer) => notesFor(viewer, isPublished)

/** All notes that the viewer has shared, including hidden ones. */
export const ownNotes = (viewer: Viewer) => notesFor(viewer, sql`user_id = ${viewer.id}`)

/** The notes that the viewer may open by id. Owners and moderators can open hidden notes, too. */
export const accessibleNotes = (viewer: Viewer) =>
  hasRole(viewer.role, 'moderator')
    ? notesFor(viewer, sql`true`)
    : notesFor(viewer, sql`(${isPublished} OR user_id = ${viewer.id})`)

const isPublished = sql`hidden_at IS NULL`

const notesFor = (viewer: Viewer, condition: RawBuilder<unknown>) => sql<
  Selectable<Notes> & { author_id: string | null }
>`(
  SELECT notes.*, CASE WHEN is_anonymous AND user_id <> ${viewer.id} THEN NULL ELSE user_id END AS author_id FROM notes
   WHERE ${condition})`

/** For FROM in queries without a viewer: the visible notes, of which lists are made. */
export const publishedNotes = sql<Selectable<Notes>>`(SELECT * FROM notes WHERE ${isPublished})`

/** For NOT IN, with note ids of another table. Hidden notes are few and have an index. */
export const hiddenNoteIds = sql<string>`(SELECT id FROM notes WHERE NOT (${isPublished}))`

/** For WHERE, with visible notes named `n`: notes that the user shares by name. Indexes contain only these. */
export const isAttributedTo = (userId: string) => sql`n.user_id = ${userId} AND NOT n.is_anonymous`

/** For notes `n`: a suspension hid the note, which will be shown again. Without its author it is only deleted when due. */
export const willReturn = sql<boolean>`(n.hidden_by_suspension OR (n.due_at IS NOT NULL AND n.user_id IS NOT NULL))`

/** Selects the columns of `toNote`; lists of pages only for the author. @param source `visibleNotes`, or a subquery of some of its rows. */
const selectNotes = (source: RawBuilder<unknown>, viewer: Viewer) => sql`
  SELECT n.id, ${sql.join(selectProperties)}, n.created_at, n.likes, n.dislikes, n.hidden_at, n.hidden_rule, n.hidden_reason,
         u.id AS author_id, u.name AS author_name,
         d.bytes, d.page_count, d.dropped_links, t.key AS thumbnail,
         CASE WHEN n.author_id = ${viewer.id} THEN d.rasterised_pages END AS rasterised_pages,
         CASE WHEN n.author_id = ${viewer.id} THEN d.ocr_failed_pages END AS ocr_failed_pages,
         d.text_state, d.text_error, d.thumbnail_state, d.thumbnail_error,
         d.ocr_state, d.ocr_error,
         d.ocr_state = 'pending' AND d.ocr_requested_at IS NOT NULL AS is_recognising
    FROM ${source} n
    JOIN documents d ON d.id = n.document_id
    LEFT JOIN thumbnails t ON t.document_id = n.document_id
    LEFT JOIN ${selectPublicUsers} u ON u.id = n.author_id`

type NoteRow = Editable &
  Pick<Selectable<Notes>, 'id' | 'created_at' | 'likes' | 'dislikes' | 'hidden_at' | 'hidden_reason'> &
  Pick<Selectable<Documents>, 'bytes' | 'page_count' | 'rasterised_pages' | 'dropped_links' | 'ocr_failed_pages'> &
  Pick<Selectable<Documents>, 'text_state' | 'thumbnail_state' | 'ocr_state'> & {
    author_id: string | null
    author_name: string | null
    hidden_rule: Rule | null
    thumbnail: string | null
    text_error: ProblemReason | null
    thumbnail_error: ProblemReason | null
    ocr_error: ProblemReason | null
    /** Recognition was requested; never true on an instance without recognition. */
    is_recognising: boolean
  }

/** Converts a row to the API's note. */
function toNote(row: NoteRow, viewer: Viewer): Note {
  const isOwn = row.author_id === viewer.id
  const note = {
    _id: row.id,
    ...presentProperties(row),
    user: row.author_id !== null && row.author_name !== null ? { _id: row.author_id, name: row.author_name } : null,
    createdAt: row.created_at.toISOString(),
    likes: row.likes,
    dislikes: row.dislikes,
    document: toDocument(row, isOwn),
    ...toHidden(row),
  }
  return isOwn || hasRole(viewer.role, 'moderator') ? { ...note, version: versionOf(row.id, note) } : note
}

/** Only viewers who may open a hidden note receive its row. */
const toHidden = ({ hidden_at, hidden_rule: rule, hidden_reason: reason }: NoteRow): Pick<Note, 'hidden'> =>
  hidden_at && rule && reason !== null ? { hidden: { at: hidden_at.toISOString(), rule, reason } } : {}

function toDocument(row: NoteRow, isOwn: boolean): Note['document'] {
  const problems: DocumentProblem[] = []
  if (row.text_state === 'failed') problems.push({ what: 'text', ...reasonOf(row.text_error) })
  if (row.text_state === 'done' && row.text_error) problems.push({ what: 'text_cut' })
  if (row.text_state === 'empty') problems.push({ what: row.is_recognising ? 'no_text_yet' : 'no_text' })
  if (row.ocr_failed_pages) problems.push({ what: 'words', pages: row.ocr_failed_pages })
  else if (row.ocr_state === 'failed') problems.push({ what: 'words', ...reasonOf(row.ocr_error) })
  if (row.thumbnail_state === 'failed') problems.push({ what: 'picture', ...reasonOf(row.thumbnail_error) })
  return {
    bytes: row.bytes,
    pageCount: row.page_count,
    // A thumbnail is served to every user who knows its address; that of a hidden note is never served.
    thumbnail: row.hidden_at ? null : row.thumbnail,
    isProcessing: row.text_state === 'pending' || row.thumbnail_state === 'pending',
    ...(isOwn && problems.length > 0 && { problems }),
    ...(isOwn && row.rasterised_pages && { drawnPages: row.rasterised_pages }),
    ...(isOwn && row.dropped_links > 0 && { droppedLinks: row.dropped_links }),
  }
}

const reasonOf = (reason: ProblemReason | null) => reason !== null && { reason }

/**
 * Reads notes in the form of the API.
 * @param source `visibleNotes` or a similar query, or a subquery of some of its rows; its notes are named `n`.
 * @param rest the SQL after FROM: joins, conditions, order.
 */
export async function readNotes(
  db: Db,
  viewer: Viewer,
  source: RawBuilder<unknown>,
  rest: RawBuilder<unknown>,
): Promise<Note[]> {
  const { rows } = await sql<NoteRow>`${selectNotes(source, viewer)} ${rest}`.execute(db)
  return rows.map((row) => toNote(row, viewer))
}

export async function findNote(db: Db, viewer: Viewer, noteId: string): Promise<Note | null> {
  const notes = await readNotes(db, viewer, accessibleNotes(viewer), sql`WHERE n.id = ${noteId}`)
  return notes[0] ?? null
}

/** Returns notes in the order of `noteIds`. */
export function findNotesById(db: Db, viewer: Viewer, noteIds: string[]): Promise<Note[]> {
  const inOrder = sql`WHERE n.id = ANY(${noteIds}::uuid[]) ORDER BY array_position(${noteIds}::uuid[], n.id)`
  return readNotes(db, viewer, accessibleNotes(viewer), inOrder)
}

/** Adds the notes to rows that refer to them. Rows whose note the viewer may not open are left out. */
export async function joinNotes<Row extends { noteId: string }>(
  db: Db,
  viewer: Viewer,
  rows: Row[],
): Promise<(Row & { note: Note })[]> {
  const noteIds = rows.map(({ noteId }) => noteId)
  const notes = new Map((await findNotesById(db, viewer, noteIds)).map((note) => [note._id, note]))
  return rows.flatMap((row) => {
    const note = notes.get(row.noteId)
    return note ? [{ ...row, note }] : []
  })
}

/** The sort columns of note lists; the query must name its notes `n`. */
export const orderColumns = (sortBy: SortKey): RawBuilder<unknown> =>
  sortBy === 'likes' ? sql`n.likes DESC, n.id DESC` : sql`n.created_at DESC, n.id DESC`

export const orderOf = (sortBy: SortKey): RawBuilder<unknown> => sql`ORDER BY ${orderColumns(sortBy)}`

/** Returns the condition for notes after the cursor, if the query has one. */
export function afterCursor({ sortBy, cursorId, cursorValue }: NoteOrder): RawBuilder<unknown>[] {
  if (cursorId === undefined) return []
  if (sortBy === 'likes') return [sql`(n.likes, n.id) < (${cursorValue}::integer, ${cursorId}::uuid)`]
  // The value is sent as a date, because PostgreSQL's text format has no year 0000, which a cursor may contain.
  return [sql`(n.created_at, n.id) < (${new Date(cursorValue ?? '')}::timestamptz, ${cursorId}::uuid)`]
}
