import { expect, it } from 'vitest'
import { restoreItem } from './continue-reading-query.ts'

const read = (...noteIds: string[]) => noteIds.map((noteId) => ({ noteId, page: 2 }))

it.each([
  ['alone', read('a', 'c'), read('a', 'b', 'c'), read('a', 'b', 'c')],
  ['while another one was taken off', read('a'), read('a', 'b', 'c'), read('a', 'b')],
  ['after the last', [], read('b'), read('b')],
  ['where nothing is known of it', undefined, undefined, []],
])('a note comes back to its place %s', (_, list, before, expected) => {
  expect(restoreItem(list, 'b', before)).toEqual(expected)
})
