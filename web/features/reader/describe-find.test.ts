import { expect, it } from 'vitest'
import { describeFind } from './describe-find.ts'
import { noFind } from './viewer/document-store.ts'

it.each([
  [{}, ''],
  [{ text: 'tree', isPending: true }, 'Searching…'],
  [{ text: 'tree', current: 35, total: 45 }, '35 of 45 so far'],
  [{ text: 'tree', current: 35, total: 1057, isComplete: true }, '35 of 1,057'],
  [{ text: 'tree', isComplete: true }, 'No matches'],
])('%j reads %j', (find, words) => {
  expect(describeFind({ ...noFind, ...find })).toBe(words)
})
