import { expect, it } from 'vitest'
import { testNote } from '../../../test/test-note.ts'
import { cursorOf, foundIn, type ListData, noteIdsOf, withoutNote } from './list-pages.ts'

const list = (...pages: string[][]): ListData => ({
  pages: pages.map((noteIds) => ({ noteIds, next: { cursorId: noteIds.at(-1) ?? '', cursorValue: '5' } })),
  pageParams: pages.map(() => null),
})

it('a cursor is the id of a note and what the list is sorted by: upload time or likes, and its course', () => {
  const note = testNote('a', { likes: 7 })
  expect(cursorOf(note, 'createdAt')).toEqual({ cursorId: 'a', cursorValue: note.createdAt })
  expect(cursorOf(note, 'likes')).toEqual({ cursorId: 'a', cursorValue: '7' })
  expect(cursorOf(note, 'likes', true)).toMatchObject({ cursorCourse: note.courseCode })
})

it('the notes of a list come once each, in order', () =>
  expect(noteIdsOf(list(['a', 'b'], ['b', 'c'], ['a']))).toEqual(['a', 'b', 'c']))

it('a removed note leaves every page that holds it, and the cursors where they were', () => {
  const removed = withoutNote(list(['a', 'b'], ['b', 'c']), 'b')
  expect(removed.pages.map((page) => page.noteIds)).toEqual([['a'], ['c']])
  expect(removed.pages[0]?.next).toEqual({ cursorId: 'b', cursorValue: '5' })
})

it('a search finds one note less after one is removed', () => {
  const found = { found: { count: 2, isAll: true }, corrected: null, shortened: null, unsearched: [], inNotes: {} }
  const data: ListData = { pages: [{ noteIds: ['a', 'b'], next: null, found }], pageParams: [null] }
  expect(foundIn(withoutNote(data, 'b'))?.found).toEqual({ count: 1, isAll: true })
})
