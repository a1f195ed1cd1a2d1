import type { InfiniteData } from '@tanstack/react-query'
import type { Note } from '../../../contract/notes.ts'
import type { SortKey } from '../../../contract/search.ts'

/** Where the next page begins: the last note held, in the order asked for (SPEC.md section 7). */
export type Cursor = { cursorId: string; cursorValue: string }

/**
 * The notes of a page by their ids, as it was served, with the cursor taken then: a like given since must not move the
 * place to go on from.
 */
export type ListPage = { noteIds: string[]; next: Cursor | null }
export type ListData = InfiniteData<ListPage, Cursor | null>

export function cursorOf(note: Note, sortBy: SortKey): Cursor {
  return { cursorId: note._id, cursorValue: sortBy === 'likes' ? String(note.likes) : note.createdAt }
}

/** Every note of a list once, in order: one may arrive twice where its likes changed between two pages. */
export function noteIdsOf(data: ListData): string[] {
  return [...new Set(data.pages.flatMap((page) => page.noteIds))]
}

/** The list without a note; the very same list where the note is not in it, so that nothing renders again. */
export function withoutNote(data: ListData, noteId: string): ListData {
  if (!data.pages.some((page) => page.noteIds.includes(noteId))) return data
  return { ...data, pages: data.pages.map((page) => ({ ...page, noteIds: without(page.noteIds, noteId) })) }
}

export const without = (noteIds: string[], noteId: string) => noteIds.filter((id) => id !== noteId)
