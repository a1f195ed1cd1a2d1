import type { InfiniteData } from '@tanstack/react-query'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { SearchHit, SearchPage, SearchSortKey } from '../../../../packages/contract/search.ts'
import type { AlternativeHits } from '../../search/alternative-searches.ts'

/** The start of the next page: the last loaded note in the requested order (SPEC.md section 7). */
export type Cursor = { cursorId: string; cursorValue: string; cursorCourse?: string }

/**
 * The note ids of a page as the server sent it. The cursor is computed at that time, because a later like must not move
 * the start of the next page.
 */
export type ListPage = {
  noteIds: string[]
  next: Cursor | { cursor: string } | null
  found?: SearchMeta
  /** Other fields in which the search text would find more; set only on the first page of a search with few results. */
  otherHits?: AlternativeHits[]
}
export type ListData = InfiniteData<ListPage, ListPage['next']>

export type FoundInNote = Omit<SearchHit, 'note'>
/** The facts that a full-text search returns beside its notes: for each note by its id, and for the whole search. */
export type SearchMeta = Omit<SearchPage, 'hits' | 'next'> & { inNotes: Record<string, FoundInNote> }

/** @param isGrouped whether the list is sorted by course first. */
export function cursorOf(note: Note, sortBy: SearchSortKey, isGrouped = false): Cursor {
  return {
    cursorId: note._id,
    cursorValue: sortBy === 'likes' ? String(note.likes) : note.createdAt,
    ...(isGrouped && { cursorCourse: note.courseCode }),
  }
}

/** Returns each note of a list once, in order. A note can arrive twice when its likes change between two pages. */
export const noteIdsOf = (data: ListData): string[] => [...new Set(data.pages.flatMap((page) => page.noteIds))]

/** Merges the search facts of all pages; undefined for a list that is not a full-text search. */
export function foundIn({ pages }: ListData): SearchMeta | undefined {
  const [first] = pages
  if (first?.found === undefined) return undefined
  return { ...first.found, inNotes: Object.assign({}, ...pages.map(({ found }) => found?.inNotes)) }
}

/** Returns the same object if the note is not in the list, so that nothing renders again. */
export function withoutNote(data: ListData, noteId: string): ListData {
  if (!data.pages.some((page) => page.noteIds.includes(noteId))) return data
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      noteIds: without(page.noteIds, noteId),
      ...(page.found && { found: withOneLess(page.found) }),
    })),
  }
}

const withOneLess = (meta: SearchMeta): SearchMeta => ({
  ...meta,
  found: meta.found && { ...meta.found, count: meta.found.count - 1 },
})

export const without = (noteIds: string[], noteId: string) => noteIds.filter((id) => id !== noteId)
