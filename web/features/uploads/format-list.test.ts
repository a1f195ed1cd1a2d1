import { expect, it } from 'vitest'
import { listSome } from './format-list.ts'

it('names the given number', () => expect(listSome(['a', 'b', 'c'], 2)).toBe('a, b and 1 more'))

it.each([
  [1, '1'],
  [6, '1, 2, 3, 4, 5 and 6'],
  [7, '1, 2, 3, 4, 5, 6 and 1 more'],
  [18, '1, 2, 3, 4, 5, 6 and 12 more'],
])('%i names read %j', (count, text) => {
  expect(listSome(Array.from({ length: count }, (_, at) => `${at + 1}`))).toBe(text)
})
