import { expect, it } from 'vitest'
import { createSelection } from './note-selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']

function begin() {
  const choosing = createSelection()
  choosing.start()
  return { ...choosing, chosen: () => [...(choosing.store.getState().chosen ?? [])].sort().join('') }
}

it('ticks one note after the other, and takes ticks back', () => {
  const { toggle, chosen } = begin()
  for (const id of ['a', 'c', 'a']) toggle(id, false, order)
  expect(chosen()).toBe('c')
})

it('ticks a range in either direction from the note touched last, and takes a range back', () => {
  const { toggle, chosen } = begin()
  toggle('d', false, order)
  toggle('b', true, order)
  expect(chosen()).toBe('bcd')
  toggle('e', true, order)
  expect(chosen()).toBe('bcde')
  toggle('c', false, order)
  toggle('e', true, order)
  expect(chosen()).toBe('b')
})

it('ticks the note alone where the range has no beginning any more', () => {
  const { toggle, chosen } = begin()
  toggle('c', true, order)
  expect(chosen()).toBe('c')
  toggle('x', false, order)
  toggle('a', true, order)
  expect(chosen()).toBe('acx')
})

it('keeps what is still there, and nothing once one has stopped', () => {
  const { toggle, keep, add, stop, store, chosen } = begin()
  toggle('a', false, order)
  add(['b', 'c'])
  keep(['b', 'c', 'e'])
  expect(chosen()).toBe('bc')
  stop()
  expect(store.getState().chosen).toBeNull()
})
