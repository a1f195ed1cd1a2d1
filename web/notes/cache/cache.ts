import type { InfiniteData } from '@tanstack/react-query'
import type { Note } from '../../../contract/notes.ts'
import type { NotePage, SortKey } from '../../../contract/search.ts'

/** Where the next page begins: the last note held, in the order asked for (SPEC.md section 7). */
export type Cursor = { cursorId: string; cursorValue: string }

/** A page as it was served, with the cursor taken then: a like given since must not move the place to go on from. */
export type ListPage = NotePage & { next: Cursor | null }
export type ListData = InfiniteData<ListPage, Cursor | null>

export function toListPage(page: NotePage, sortBy: SortKey): ListPage {
  const last = page.notes.at(-1)
  return { ...page, next: page.hasMore && last !== undefined ? cursorOf(last, sortBy) : null }
}

export function cursorOf(note: Note, sortBy: SortKey): Cursor {
  return { cursorId: note._id, cursorValue: sortBy === 'likes' ? String(note.likes) : note.createdAt }
}

/**
 * Every note of a list once, in order. A note may arrive twice where its likes changed between two pages; the copy
 * of the later page is the newer one, the place of the earlier page stays.
 */
export function notesOf(data: ListData): Note[] {
  const notes = new Map<string, Note>()
  for (const page of data.pages) for (const note of page.notes) notes.set(note._id, note)
  return [...notes.values()]
}

/** The list with one note changed; the very same list where the note is not in it, so that nothing renders again. */
export function changeNote(data: ListData, noteId: string, change: (note: Note) => Note): ListData {
  return changePages(data, (notes) => changeIn(notes, noteId, change))
}

export function removeNote(data: ListData, noteId: string): ListData {
  return changePages(data, (notes) => removeFrom(notes, noteId))
}

/** As `changeNote` for plain notes: the very same array where nothing changes. */
export function changeIn(notes: Note[], noteId: string, change: (note: Note) => Note): Note[] {
  const at = notes.findIndex((note) => note._id === noteId)
  const note = notes[at]
  if (note === undefined) return notes
  const changed = change(note)
  return changed === note ? notes : notes.with(at, changed)
}

export function removeFrom(notes: Note[], noteId: string): Note[] {
  return notes.some((note) => note._id === noteId) ? notes.filter((note) => note._id !== noteId) : notes
}

function changePages(data: ListData, change: (notes: Note[]) => Note[]): ListData {
  let changed = false
  const pages = data.pages.map((page) => {
    const notes = change(page.notes)
    if (notes === page.notes) return page
    changed = true
    return { ...page, notes }
  })
  return changed ? { ...data, pages } : data
}
