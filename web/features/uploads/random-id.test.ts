import { expect, it } from 'vitest'
import { id } from '../../../packages/contract/fields.ts'
import { randomId } from './upload-queue.ts'

it('makes ids as the API takes them, never the same twice', () => {
  const ids = Array.from({ length: 1_000 }, randomId)
  for (const each of ids) expect(id.safeParse(each).success, each).toBe(true)
  expect(new Set(ids).size).toBe(1_000)
})
