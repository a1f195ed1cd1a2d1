import { expect, it } from 'vitest'
import { isOlder } from './version.ts'

it.each([
  ['0.9.0', '0.10.0'],
  ['1.0.0-rc.2', '1.0.0-rc.10'],
  ['1.0.0-rc.1', '1.0.0'],
  ['0.9.9', '1.0.0-rc.1'],
])('%s is older than %s', (older, newer) => {
  expect(isOlder(older, newer)).toBe(true)
  expect(isOlder(newer, older)).toBe(false)
  expect(isOlder(older, older)).toBe(false)
})
