import { describe, expect, it } from 'vitest'
import type { Note } from '../../../contract/notes.ts'
import { changeNote, type ListData, notesOf, removeNote, toListPage } from './cache.ts'

const note = (id: string, change: Partial<Note> = {}): Note => ({
  _id: id,
  title: `Note ${id}`,
  courseCode: 'CS101',
  academicYear: '2026–27',
  isAnonymous: false,
  user: null,
  createdAt: '2026-11-21T09:30:00.123Z',
  likes: 0,
  dislikes: 0,
  ...change,
})
const list = (...pages: Note[][]): ListData => ({
  pages: pages.map((notes) => toListPage({ notes, hasMore: true }, 'createdAt')),
  pageParams: pages.map(() => null),
})
const ids = (data: ListData) => notesOf(data).map((each) => each._id)

describe('the cursor of a page', () => {
  it('is the id and upload time of its last note', () => {
    const page = toListPage({ notes: [note('a'), note('b', { likes: 7 })], hasMore: true }, 'createdAt')
    expect(page.next).toEqual({ cursorId: 'b', cursorValue: '2026-11-21T09:30:00.123Z' })
  })

  it('is the id and likes of its last note when sorting by likes', () => {
    const page = toListPage({ notes: [note('a', { likes: 9 }), note('b', { likes: 7 })], hasMore: true }, 'likes')
    expect(page.next).toEqual({ cursorId: 'b', cursorValue: '7' })
  })

  it('is none after the last page, and none for a page without notes', () => {
    expect(toListPage({ notes: [note('a')], hasMore: false }, 'createdAt').next).toBeNull()
    expect(toListPage({ notes: [], hasMore: true }, 'createdAt').next).toBeNull()
  })

  it('stays where it was when the last note is unliked or removed', () => {
    const data: ListData = {
      pages: [toListPage({ notes: [note('a', { likes: 5 })], hasMore: true }, 'likes')],
      pageParams: [null],
    }
    expect(changeNote(data, 'a', (each) => ({ ...each, likes: 4 })).pages[0]?.next?.cursorValue).toBe('5')
    expect(removeNote(data, 'a').pages[0]?.next?.cursorId).toBe('a')
  })
})

describe('the notes of a list', () => {
  it('come once each, in order', () => {
    expect(ids(list([note('a'), note('b')], [note('b'), note('c')], [note('a')]))).toEqual(['a', 'b', 'c'])
  })

  it('show the newer copy of a note that arrived twice', () => {
    const data = list([note('a', { likes: 1 })], [note('a', { likes: 2 })])
    expect(notesOf(data)[0]?.likes).toBe(2)
  })
})

describe('changing a note in a list', () => {
  const data = list([note('a'), note('b')], [note('c')])

  it('changes that note in every page that holds it', () => {
    const twice = list([note('a')], [note('a')])
    const changed = changeNote(twice, 'a', (each) => ({ ...each, likes: 3 }))
    expect(changed.pages.map((page) => page.notes[0]?.likes)).toEqual([3, 3])
  })

  it('leaves the other notes and pages as the same objects', () => {
    const changed = changeNote(data, 'a', (each) => ({ ...each, likes: 3 }))
    expect(changed.pages[0]?.notes[1]).toBe(data.pages[0]?.notes[1])
    expect(changed.pages[1]).toBe(data.pages[1])
    expect(data.pages[0]?.notes[0]?.likes).toBe(0)
  })

  it('is the same list where the note is not in it', () => {
    expect(changeNote(data, 'x', (each) => ({ ...each }))).toBe(data)
    expect(removeNote(data, 'x')).toBe(data)
  })

  it('is the same list where the change changes nothing', () => {
    expect(changeNote(data, 'a', (each) => each)).toBe(data)
  })

  it('removes a note from its page', () => {
    expect(ids(removeNote(data, 'b'))).toEqual(['a', 'c'])
  })
})
