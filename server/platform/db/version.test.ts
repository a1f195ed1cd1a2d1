import { expect, it } from 'vitest'
import { isNextRelease, isOlder } from './version.ts'

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

it('the next release is the next minor one', () => {
  const next = ['1.3.0-rc.1', '1.3.0', '1.3.9', '1.2.0', '1.2.2', '1.4.0', '2.3.0', '0.3.0', 'x']
  expect(next.filter((version) => isNextRelease('1.2.1', version))).toEqual(['1.3.0-rc.1', '1.3.0', '1.3.9'])
})
