import { expect, it } from 'vitest'
import { firstName } from './taglines.ts'

it.each([
  ['Ada Lovelace', 'Ada'],
  ['  Grace   Brewster Hopper ', 'Grace'],
  ['李 小龙', '李'],
  ['   ', 'User'],
  [undefined, 'User'],
])('%j is greeted as %s', (name, greeted) => expect(firstName(name)).toBe(greeted))
