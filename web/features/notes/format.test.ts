import { expect, it } from 'vitest'
import { formatBytes, formatCount, formatDate, formatDay, formatMoment } from './format.ts'

it.each([
  [new Date(2026, 10, 21, 9, 5), '21 Nov 2026, 09:05'],
  [new Date(2025, 0, 1), '1 Jan 2025, 00:00'],
])('%s reads %s on the clock it was made by', (time, text) => {
  expect(formatMoment(time.toISOString())).toBe(text)
  expect(formatDay(time.toISOString())).toBe(text.split(',')[0])
})

it('a day reads the same everywhere', () =>
  expect(['2026-11-16', '2027-01-04'].map(formatDate)).toEqual(['16 Nov 2026', '4 Jan 2027']))

it.each([
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
])('%i reads %s', (count, text) => expect(formatCount(count)).toBe(text))

it.each([
  [0, '0 bytes'],
  [1024, '1 kB'],
  [16_978, '17 kB'],
  [1_048_575, '1.0 MB'],
  [1_470_000, '1.4 MB'],
  [25 * 1024 * 1024, '25 MB'],
  [3 * 1024 ** 3, '3.0 GB'],
])('%i reads %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))
