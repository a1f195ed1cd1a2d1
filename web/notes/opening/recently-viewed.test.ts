import { expect, it } from 'vitest'
import type { Note } from '../../../contract/notes.ts'
import { withViewed } from './recently-viewed.ts'

const note = (id: number): Note => ({
  _id: String(id),
  title: `Note ${id}`,
  courseCode: 'CS101',
  academicYear: '2026–27',
  isAnonymous: false,
  user: null,
  createdAt: '2026-11-21T09:30:00.123Z',
  likes: 0,
  dislikes: 0,
})
const ids = (notes: Note[]) => notes.map((each) => each._id)

it('puts an opened note at the front', () => {
  expect(ids(withViewed([note(1), note(2)], note(3)))).toEqual(['3', '1', '2'])
})

it('holds a note once when it is opened again', () => {
  expect(ids(withViewed([note(1), note(2), note(3)], note(3)))).toEqual(['3', '1', '2'])
})

it('keeps the 24 last ones', () => {
  const full = Array.from({ length: 24 }, (_, at) => note(at))
  const viewed = withViewed(full, note(99))
  expect(viewed).toHaveLength(24)
  expect(viewed[0]?._id).toBe('99')
  expect(ids(viewed)).not.toContain('23')
})
