import { expect, it } from 'vitest'
import { describeFind, noFind, printedLabel } from './document-store.ts'

it.each([
  [{}, ''],
  [{ text: 'tree', isPending: true }, 'Searching…'],
  [{ text: 'tree', current: 35, total: 45 }, '35 of 45 so far'],
  [{ text: 'tree', current: 35, total: 1057, isComplete: true }, '35 of 1,057'],
  [{ text: 'tree', isComplete: true }, 'No matches'],
])('%j reads %j', (find, words) => expect(describeFind({ ...noFind, ...find })).toBe(words))

it.each([
  [null, 1, null],
  [['i', 'ii', '1'], 2, 'ii'],
  [['i', 'ii', '1'], 3, '1'],
  [['1', '2'], 2, null],
  [['', ' '], 2, null],
  [['i'], 2, null],
])('of %j page %i reads %j', (labels, page, label) => expect(printedLabel(labels, page)).toBe(label))
