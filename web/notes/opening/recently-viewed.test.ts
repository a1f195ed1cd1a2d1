import { expect, it } from 'vitest'
import { withViewed } from './recently-viewed.ts'

it('puts an opened note at the front, once, before the last ones', () => {
  expect(withViewed(['1', '2'], '3')).toEqual(['3', '1', '2'])
  expect(withViewed(['1', '2', '3'], '3')).toEqual(['3', '1', '2'])
  const full = Array.from({ length: 24 }, (_, at) => String(at))
  const viewed = withViewed(full, '99')
  expect(viewed).toHaveLength(24)
  expect(viewed[0]).toBe('99')
  expect(viewed).not.toContain('23')
})
