import { beforeEach, expect, it } from 'vitest'
import { selection, useSelection } from './note-selection.ts'

const { toggle, keep, add, stop } = selection
const chosen = () => [...(useSelection.getState().chosen ?? [])].sort().join('')

beforeEach(() => {
  selection.start()
  selection.setOrder(['a', 'b', 'c', 'd', 'e'])
})

it('ticks one note after the other, and takes ticks back', () => {
  for (const id of ['a', 'c', 'a']) toggle(id, false)
  expect(chosen()).toBe('c')
})

it('ticks a range in either direction from the note touched last, and takes a range back', () => {
  toggle('d', false)
  toggle('b', true)
  expect(chosen()).toBe('bcd')
  toggle('e', true)
  expect(chosen()).toBe('bcde')
  toggle('c', false)
  toggle('e', true)
  expect(chosen()).toBe('b')
})

it('ticks the note alone where the range has no beginning any more', () => {
  toggle('c', true)
  expect(chosen()).toBe('c')
  toggle('x', false)
  toggle('a', true)
  expect(chosen()).toBe('acx')
})

it('keeps what is still there, and nothing once one has stopped', () => {
  toggle('a', false)
  add(['b', 'c'])
  keep(['b', 'c', 'e'])
  expect(chosen()).toBe('bc')
  stop()
  expect(useSelection.getState().chosen).toBeNull()
})
