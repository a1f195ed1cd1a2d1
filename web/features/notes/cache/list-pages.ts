import type { InfiniteData } from '@tanstack/react-query'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { SearchHit, SearchPage, SearchSortKey } from '../../../../packages/contract/search.ts'
import type { AlternativeHits } from '../../search/alternative-searches.ts'

/** Where the next page begins: the last note held, in the order asked for (SPEC.md section 7). */
export type Cursor = { cursorId: string; cursorValue: string; cursorCourse?: string }

/**
 * The notes of a page by their ids, as it was served, with the cursor taken then: a like given since must not move the
 * place to go on from.
 */
export type ListPage = {
  noteIds: string[]
  next: Cursor | { cursor: string } | null
  found?: SearchMeta
  /** With the first page of a search that found little: where else its texts stand. */
  otherHits?: AlternativeHits[]
}
export type ListData = InfiniteData<ListPage, ListPage['next']>

/** What a search found in a note. */
export type FoundInNote = Omit<SearchHit, 'note'>
/** What a search inside the notes tells beside them: of each note, by its id, and of all. */
export type SearchMeta = Omit<SearchPage, 'hits' | 'next'> & { inNotes: Record<string, FoundInNote> }

/** @param isGrouped course by course. */
export function cursorOf(note: Note, sortBy: SearchSortKey, isGrouped = false): Cursor {
  return {
    cursorId: note._id,
    cursorValue: sortBy === 'likes' ? String(note.likes) : note.createdAt,
    ...(isGrouped && { cursorCourse: note.courseCode }),
  }
}

/** Every note of a list once, in order: one may arrive twice where its likes changed between two pages. */
export function noteIdsOf(data: ListData): string[] {
  return [...new Set(data.pages.flatMap((page) => page.noteIds))]
}

/** What a search told with each of its pages, put together; undefined for a list that is none. */
export function foundIn({ pages }: ListData): SearchMeta | undefined {
  const [first] = pages
  if (first?.found === undefined) return undefined
  return { ...first.found, inNotes: Object.assign({}, ...pages.map(({ found }) => found?.inNotes)) }
}

/** The list without a note; the very same list where the note is not in it, so that nothing renders again. */
export function withoutNote(data: ListData, noteId: string): ListData {
  if (!data.pages.some((page) => page.noteIds.includes(noteId))) return data
  return { ...data, pages: data.pages.map((page) => ({ ...page, noteIds: without(page.noteIds, noteId) })) }
}

export const without = (noteIds: string[], noteId: string) => noteIds.filter((id) => id !== noteId)
