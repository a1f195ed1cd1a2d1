import { notifyManager, skipToken, useQuery } from '@tanstack/react-query'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { Person } from '../../../../packages/contract/people.ts'
import type { noteScopes } from '../../../../packages/contract/search.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { hasFilters, type NoteSearch } from '../../search/search-params.ts'
import { type ListData, withoutNote } from './list-pages.ts'

/** The three lists of notes share their code but have separate API calls and pages (SPEC.md sections 2 and 7). */
export type NoteScope = (typeof noteScopes)[number]

/** @param list one of the three lists, 'course', or an author's id. A deleted note is removed from all of them. */
export const listKey = (list: NoteScope | 'course' | Person['_id'], search: NoteSearch) => {
  const isFiltered = hasFilters(search) || !scopes.has(list)
  return ['notes', search.isGrouped ? 'grouped' : isFiltered ? 'filtered' : 'plain', list, search] as const
}
const scopes = new Set<string>(['all', 'mine', 'liked'] satisfies NoteScope[])

/**
 * Each note is cached once under its id, and lists contain ids. A change therefore renders only the cards of that note.
 * Notes outlive the lists that loaded them and are cleared when the user changes.
 */
const noteKey = (noteId: string) => ['note', noteId] as const
queryClient.setQueryDefaults(['note'], { gcTime: Number.POSITIVE_INFINITY })

/** Counts changes of notes. A request sent before a change is older than it, however late its response arrives. */
let moment = 0
export const currentMoment = (): number => moment

/** The fields of each note that this page changed. They are cached, so that they are cleared with the user. */
type Changes = Partial<Record<keyof Note, { moment: number; value: unknown }>>
const changesOf = (noteId: string): Changes => queryClient.getQueryData(changesKey(noteId)) ?? {}
const changesKey = (noteId: string) => ['note', noteId, 'changes'] as const

/**
 * Stores notes from a response and returns their ids. Fields that changed after the request was sent keep their new
 * value.
 * @param askedAt the value of `currentMoment()` when the request was sent.
 */
export function upsertNotes(notes: Note[], askedAt: number): string[] {
  notifyManager.batch(() => {
    for (const note of notes) {
      const newer = Object.entries(changesOf(note._id)).filter(([, { moment }]) => moment > askedAt)
      const kept = Object.fromEntries(newer.map(([field, { value }]) => [field, value]))
      queryClient.setQueryData(noteKey(note._id), { ...note, ...kept })
    }
  })
  return notes.map((note) => note._id)
}

/** Stores the note from the response to a write; older responses do not overwrite it. */
export function keepWritten(note: Note): void {
  patchCachedNote(note._id, note)
  upsertNotes([note], moment)
}

/** Does nothing when the note is not cached. */
export function patchCachedNote(noteId: string, change: Partial<Note>): void {
  moment++
  const changed = Object.entries(change).map(([field, value]) => [field, { moment, value }])
  queryClient.setQueryData(changesKey(noteId), { ...changesOf(noteId), ...Object.fromEntries(changed) })
  queryClient.setQueryData<Note>(noteKey(noteId), (note) => note && { ...note, ...change })
}

export const isRatedSince = (noteId: string, askedAt: number): boolean =>
  (changesOf(noteId).likes?.moment ?? 0) > askedAt

export const getCachedNote = (noteId: string): Note | undefined => queryClient.getQueryData(noteKey(noteId))

/** Returns the ids of the notes that the page displays. */
export const getShownNoteIds = (): string[] =>
  queryClient
    .getQueryCache()
    .findAll({ queryKey: ['note'], predicate: (query) => query.getObserversCount() > 0 })
    .map(({ queryKey }) => String(queryKey[1]))

/** Subscribes to a cached note; undefined when it is not cached. */
export const useNote = (noteId: string): Note | undefined =>
  useQuery<Note>({ queryKey: noteKey(noteId), queryFn: skipToken }).data

/** Removes a deleted note from every list, but keeps the update time of each list. */
export function removeFromLists(noteId: string): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['notes'] })) {
    const { data, dataUpdatedAt } = query.state
    if (data === undefined) continue
    const changed = withoutNote(data as ListData, noteId)
    if (changed !== data) queryClient.setQueryData(query.queryKey, changed, { updatedAt: dataUpdatedAt })
  }
}
