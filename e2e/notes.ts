import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Note } from '../packages/contract/notes.ts'
import type { RatingChange } from '../packages/contract/ratings.ts'
import { insertNotes, type NewNote } from '../server/features/notes/notes.queries.ts'
import { indexNotes } from '../server/features/search/index-notes.ts'
import { savePages } from '../server/features/uploads/documents/text.ts'
import { inTransaction } from '../server/platform/db/transaction.ts'
import { newFileKey } from '../server/platform/storage/storage.ts'
import { onePagePdf } from '../server/testing/pdf.ts'
import { uniqueCourseCode } from './page.ts'
import type { Student } from './test.ts'

export type SharedNote = Pick<Note, '_id' | 'createdAt'>
type File = { title: string; content: Buffer; pageCount: number }
type Details = { courseCode?: string; academicYear?: string; instructor?: string; isAnonymous?: boolean }

/**
 * Adds notes as if they had been uploaded together and processed by the jobs. They share a creation time, so only My
 * Notes keeps their order.
 */
async function shareFiles(
  { id, lectern }: Student,
  files: File[],
  { courseCode = uniqueCourseCode(), academicYear = '2025–26', instructor, isAnonymous = false }: Details = {},
): Promise<SharedNote[]> {
  const details = { userId: id, courseCode, academicYear, instructor, isAnonymous, sourceSha256: null }
  const keys: string[] = []
  const notes: NewNote[] = []
  const beganAt = Date.now()
  for (const [at, { title, content, pageCount }] of files.entries()) {
    const fileKey = newFileKey()
    keys.push(fileKey)
    const folder = join(lectern.dataDir, 'files', fileKey.slice(0, 2))
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, fileKey), content)
    const sha256 = createHash('sha256').update(content).digest()
    const document = { fileKey, bytes: content.length, sha256, pageCount, drawnPages: [] }
    notes.push({ ...details, title, listedAt: new Date(beganAt - at), document })
  }
  return inTransaction(lectern.db, async (tx) => {
    const ids = await insertNotes(tx, notes)
    const isRead = { text_state: 'done', thumbnail_state: 'done' }
    await tx.updateTable('documents').set(isRead).where('file_key', 'in', keys).execute()
    const rows = await tx.selectFrom('notes').select(['id', 'created_at']).where('id', 'in', ids).execute()
    const createdAt = new Map(rows.map((row) => [row.id, row.created_at.toISOString()]))
    return ids.map((_id) => ({ _id, createdAt: createdAt.get(_id) ?? '' }))
  })
}

export async function shareFile(student: Student, file: File, details?: Details): Promise<SharedNote> {
  const [note] = await shareFiles(student, [file], details)
  if (!note) throw new Error('No note was inserted')
  return note
}

const onePage = (title: string): File => ({ title, content: onePagePdf, pageCount: 1 })

export const shareNotes = (student: Student, titles: string[], details?: Details): Promise<SharedNote[]> =>
  shareFiles(student, titles.map(onePage), details)

export const shareNote = (student: Student, title: string, details?: Details): Promise<SharedNote> =>
  shareFile(student, onePage(title), details)

/** Adds `count` notes with the titles Page 1, Page 2 and so on. */
export const uploadMany = (student: Student, count: number, courseCode: string): Promise<SharedNote[]> => {
  const titles = Array.from({ length: count }, (_, at) => `Page ${at + 1}`)
  return shareNotes(student, titles, { courseCode })
}

/** Gives a note the text of its pages, as if the jobs had read them, so that searches find it immediately. */
export async function writePages({ lectern: { db } }: Student, noteId: string, texts: string[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    const ofNote = tx.selectFrom('notes').select('document_id').where('id', '=', noteId)
    const { document_id } = await ofNote.executeTakeFirstOrThrow()
    await savePages(
      tx,
      document_id,
      texts.map((text, at) => ({ page: at + 1, text })),
    )
  })
  await indexNotes(db)
}

/** Uploads a file, which the jobs process afterwards. */
export async function uploadFile(student: Student, title: string, content: Buffer, courseCode: string): Promise<Note> {
  const body = new FormData()
  for (const [name, value] of Object.entries({ courseCode, academicYear: '2025–26', isAnonymous: 'false' }))
    body.set(name, value)
  body.set('note', new Blob([new Uint8Array(content)], { type: 'application/pdf' }), `${title}.pdf`)
  return (await ask(student, 'POST', '/api/notes', body)).notes[0]
}

/**
 * Sends a request as another device does: the page under test does not know of it.
 * @returns the parsed response.
 */
export async function ask(
  { accessToken, lectern }: Student,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
) {
  const isForm = body === undefined || body instanceof FormData
  const response = await fetch(lectern.url + path, {
    method,
    headers: { authorization: `Bearer ${accessToken}`, ...(!isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.ok, `${method} ${path}: ${response.status} ${text}`).toBe(true)
  return text && JSON.parse(text)
}

export const rate = (student: Student, noteId: string, change: RatingChange): Promise<unknown> =>
  ask(student, 'PATCH', `/api/notes/${noteId}/rating`, change)

export const deleteNote = (owner: Student, noteId: string): Promise<unknown> =>
  ask(owner, 'DELETE', `/api/users/me/notes/${noteId}`)
