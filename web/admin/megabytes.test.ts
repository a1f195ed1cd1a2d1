import { expect, it } from 'vitest'
import { readMegabytes } from './megabytes.ts'

it('reads a whole number of megabytes, or none', () => {
  expect([' 20 ', '', ' ', '1000000'].map(readMegabytes)).toEqual([20, null, null, 1_000_000])
  for (const nonsense of ['0', '-1', '1.5', 'much', '1000001', '1e3']) expect(readMegabytes(nonsense)).toBeUndefined()
})
