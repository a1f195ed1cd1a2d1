import { expect, it } from 'vitest'
import { nextCard } from './card-keys.ts'

/** The boxes form three columns, with one card in the last row. */
const boxes = Array.from({ length: 7 }, (_, at) => ({ left: (at % 3) * 300, top: Math.floor(at / 3) * 400 }))

it.each([
  [0, 'ArrowRight', 1],
  [2, 'ArrowRight', 3],
  [6, 'ArrowRight', null],
  [3, 'ArrowLeft', 2],
  [0, 'ArrowLeft', null],
  [1, 'ArrowDown', 4],
  [4, 'ArrowUp', 1],
  [1, 'ArrowUp', null],
  [5, 'ArrowDown', 6],
  [6, 'ArrowDown', null],
  [6, 'ArrowUp', 3],
  [4, 'Home', 0],
  [4, 'End', 6],
  [4, 'a', null],
])('arrow keys between cards: card %i, %s: %s', (from, key, to) => expect(nextCard(boxes, from, key)).toBe(to))

it('arrow keys between cards: lead nowhere from a card that is not there', () => {
  expect(nextCard(boxes, -1, 'ArrowRight')).toBeNull()
  expect(nextCard([], 0, 'End')).toBeNull()
})
