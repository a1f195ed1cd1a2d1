import { expect, it } from 'vitest'
import { firstName, nextTagline, taglines } from './taglines.ts'

it('the taglines are at least twenty, all different, short enough for a phone', () => {
  expect(taglines.length).toBeGreaterThanOrEqual(20)
  expect(new Set(taglines).size).toBe(taglines.length)
  for (const tagline of taglines) expect(tagline.length).toBeLessThan(70)
})

const randoms = [0, 0.001, 0.25, 0.5, 0.75, 0.999_999]

it('the next tagline is never the one just shown, and can be every other one', () => {
  for (let shown = 0; shown < taglines.length; shown++) {
    for (const random of randoms) expect(nextTagline(shown, random)).not.toBe(shown)
  }
  const others = new Set(Array.from({ length: 4 }, (_, at) => nextTagline(2, (at + 0.5) / 4, 5)))
  expect(others).toEqual(new Set([0, 1, 3, 4]))
})

it('the next tagline is any at first, and where the one remembered is no longer there', () => {
  expect(nextTagline(null, 0, 5)).toBe(0)
  expect(nextTagline(null, 0.99, 5)).toBe(4)
  expect(nextTagline(99, 0.5, 5)).toBe(2)
})

it.each([
  ['Ada Lovelace', 'Ada'],
  ['  Grace   Brewster Hopper ', 'Grace'],
  ['李 小龙', '李'],
  ['   ', 'User'],
  [undefined, 'User'],
])('%j is greeted as %s', (name, greeted) => expect(firstName(name)).toBe(greeted))
