import { sql } from 'kysely'
import { expect } from 'vitest'
import type { SearchHit, SearchPage } from '../../packages/contract/search.ts'
import { indexNotes } from '../features/search/index-notes.ts'
import { foldVersion } from '../features/search/text-analysis/fold.ts'
import { savePages } from '../features/uploads/documents/text.ts'
import { inTransaction } from '../platform/db/transaction.ts'
import { createNote, createUser, type NoteValues, type TestApp, type TestUser } from './app.ts'
import { executeUnlimited } from './database.ts'

/** Sends GET /api/search as a user, or as a visitor, after the job that indexes notes. */
export async function search({ app, deps }: TestApp, user: TestUser | null, query: Record<string, string>) {
  await indexNotes(deps.db)
  return app.inject({ url: `/api/search?${new URLSearchParams(query)}`, headers: { ...user?.auth } })
}

/** Saves the pages of a note's document, as the job that reads it does. */
export async function writePages({ deps }: TestApp, noteId: string, pages: string[]): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const ofNote = tx.selectFrom('notes').select('document_id').where('id', '=', noteId)
    const { document_id } = await ofNote.executeTakeFirstOrThrow()
    const numbered = pages.map((text, index) => ({ page: index + 1, text }))
    await savePages(tx, document_id, numbered)
  })
}

/** SQL expressions. */
const usualColumns = {
  title: `'Note'`,
  course_code: `'MAT137'`,
  academic_year: `'2025–26'`,
  is_anonymous: 'false',
  title_words: `'note'`,
  instructor_words: `''`,
}

/**
 * Inserts notes in one statement, without files and with nothing to process.
 * @param columns SQL of other values than the usual ones, in which `n` counts from 1.
 */
export function insertManyNotes(
  { deps }: TestApp,
  { id }: TestUser,
  count: number,
  columns: Record<string, string> = {},
) {
  const all = { ...usualColumns, course_key: columns.course_code ?? usualColumns.course_code, ...columns }
  const insert = sql`
    WITH inserted AS (
      INSERT INTO documents (file_key, bytes, sha256, text_state, thumbnail_state)
      SELECT gen_random_uuid(), 1, '', 'empty', 'failed' FROM generate_series(1, ${sql.lit(count)}) RETURNING id)
    INSERT INTO notes (user_id, document_id, fold_version, ${sql.raw(Object.keys(all).join())})
    SELECT ${id}, id, ${foldVersion}, ${sql.raw(Object.values(all).join())}
      FROM (SELECT id, row_number() OVER () AS n FROM inserted) AS given`
  return executeUnlimited(deps.db, insert)
}

let shelves = 0

/**
 * Creates notes in an academic year of their own, to which every search is limited.
 * @returns functions that search them.
 */
export async function createLibrary(test: TestApp, notes: (NoteValues & { pages?: string[] })[]) {
  const owner = await createUser(test)
  const start = 2100 + shelves++
  const academicYear = `${start}–${String((start + 1) % 100).padStart(2, '0')}`
  const ids: string[] = []
  for (const { pages, ...note } of notes) {
    const id = await createNote(test, owner, { courseCode: 'ZZZ999', ...note, academicYear })
    if (pages) await writePages(test, id, pages)
    ids.push(id)
  }
  const ask = async (text: string, query: Record<string, string> = {}): Promise<SearchPage> => {
    const response = await search(test, owner, { text, academicYear, ...query })
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }
  const find = async (text: string, query?: Record<string, string>) =>
    (await ask(text, query)).hits.map(({ note }) => note.title)
  return { owner, ids, academicYear, ask, find }
}

/** Returns the page and text of each passage of a hit, with matches in brackets. */
export const marked = ({ snippets }: Pick<SearchHit, 'snippets'>) =>
  snippets.map(({ page, parts }) => [page, parts.map(({ text, isMatch }) => (isMatch ? `[${text}]` : text)).join('')])
