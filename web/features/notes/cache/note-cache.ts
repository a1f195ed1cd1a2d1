import { notifyManager, skipToken, useQuery } from '@tanstack/react-query'
import type { Note } from '../../../../packages/contract/notes.ts'
import type { Person } from '../../../../packages/contract/people.ts'
import type { noteScopes } from '../../../../packages/contract/search.ts'
import { queryClient } from '../../../platform/api/query-client.ts'
import { hasFilters, type NoteSearch } from '../../search/search-params.ts'
import { type ListData, withoutNote } from './list-pages.ts'

/** The three lists of notes: one feature, three calls, three pages (SPEC.md sections 2 and 7). */
export type NoteScope = (typeof noteScopes)[number]

/** @param list one of the three, a course's notes, or somebody's, by their id: a note that goes leaves all of them. */
export const listKey = (list: NoteScope | 'course' | Person['_id'], search: NoteSearch) => {
  const isFiltered = hasFilters(search) || !scopes.has(list)
  return ['notes', search.isGrouped ? 'grouped' : isFiltered ? 'filtered' : 'plain', list, search] as const
}
const scopes = new Set<string>(['all', 'mine', 'liked'] satisfies NoteScope[])

/**
 * Every note is held once, under its id; lists hold ids. So a change of a note is one change, and is seen by its cards
 * alone, wherever they are. Notes outlive the lists they came with: they go with the student.
 */
const noteKey = (noteId: string) => ['note', noteId] as const
queryClient.setQueryDefaults(['note'], { gcTime: Number.POSITIVE_INFINITY })

/** Counts changes of notes. A request is older than a change if it was sent before it, however late its answer comes. */
let moment = 0
export const currentMoment = (): number => moment

/** What was changed of each note in this page, field by field. In the cache, so that it goes with the student. */
type Changes = Partial<Record<keyof Note, { moment: number; value: unknown }>>
const changesOf = (noteId: string): Changes => queryClient.getQueryData(changesKey(noteId)) ?? {}
const changesKey = (noteId: string) => ['note', noteId, 'changes'] as const

/**
 * Takes over notes from an answer, and returns their ids. Changes that are newer than the request stay.
 * @param askedAt the moment when the request was sent.
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

/** Takes over a note from the answer to a write. */
export function keepWritten(note: Note): void {
  patchCachedNote(note._id, note)
  upsertNotes([note], moment)
}

/** Does nothing to a note that is not held. */
export function patchCachedNote(noteId: string, change: Partial<Note>): void {
  moment++
  const changed = Object.entries(change).map(([field, value]) => [field, { moment, value }])
  queryClient.setQueryData(changesKey(noteId), { ...changesOf(noteId), ...Object.fromEntries(changed) })
  queryClient.setQueryData<Note>(noteKey(noteId), (note) => note && { ...note, ...change })
}

export const isRatedSince = (noteId: string, askedAt: number): boolean =>
  (changesOf(noteId).likes?.moment ?? 0) > askedAt

/** A note as it is now. */
export const getCachedNote = (noteId: string): Note | undefined => queryClient.getQueryData(noteKey(noteId))

/** A note as it is now, followed. Undefined where it is not held. */
export const useNote = (noteId: string): Note | undefined =>
  useQuery<Note>({ queryKey: noteKey(noteId), queryFn: skipToken }).data

/** Takes a note that is gone out of every list, without making the lists look newer than they are. */
export function removeFromLists(noteId: string): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['notes'] })) {
    const { data, dataUpdatedAt } = query.state
    if (data === undefined) continue
    const changed = withoutNote(data as ListData, noteId)
    if (changed !== data) queryClient.setQueryData(query.queryKey, changed, { updatedAt: dataUpdatedAt })
  }
}
