import { expect, it } from 'vitest'
import { printedLabel } from './printed-label.ts'

it.each([
  [null, 1, null],
  [['i', 'ii', '1'], 2, 'ii'],
  [['i', 'ii', '1'], 3, '1'],
  [['1', '2'], 2, null],
  [['', ' '], 2, null],
  [['i'], 2, null],
])('of %j page %i reads %j', (labels, page, label) => {
  expect(printedLabel(labels, page)).toBe(label)
})
