import { expect, it } from 'vitest'
import { formatBytes } from './format.ts'

it.each([
  [0, '0 bytes'],
  [812, '812 bytes'],
  [1024, '1 kB'],
  [16_978, '17 kB'],
  [1_048_575, '1.0 MB'],
  [1_470_000, '1.4 MB'],
  [25 * 1024 * 1024, '25 MB'],
  [3 * 1024 ** 3, '3.0 GB'],
])('%i reads %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})
