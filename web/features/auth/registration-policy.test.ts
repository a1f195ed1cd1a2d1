import { expect, it } from 'vitest'
import { describePolicy } from './registration-policy.ts'

it('shows who may register, and has no form for others', () => {
  const open = describePolicy({ mode: 'open', domains: [] }, false)
  expect(open).toMatchObject({ isClosed: false, emailHint: undefined })
  expect(describePolicy(null, false)).toEqual(open)
  const domains = ['uni.example', 'a.example', 'b.example']
  const hint = (domains: string[]) => describePolicy({ mode: 'domains', domains }, false).emailHint
  expect(hint(domains)).toBe('Use an address ending in uni.example, a.example or b.example.')
  expect(hint(['uni.example'])).toContain('ending in uni.example.')
  expect(describePolicy({ mode: 'invited', domains: [] }, false)).toMatchObject({ isClosed: true })
  expect(describePolicy({ mode: 'invited', domains: [] }, true)).toMatchObject({ isClosed: false })
  expect(describePolicy({ mode: 'domains', domains }, true).emailHint).toBeUndefined()
})
