import { expect, it } from 'vitest'
import { courseHue } from './course-hue.ts'

it('gives a course one hue however its code is written', () => {
  expect(courseHue('cs 101')).toBe(courseHue('CS-101'))
  expect(courseHue('ＣＳ–101')).toBe(courseHue('CS101'))
  expect(courseHue('CS101')).toBe(courseHue('CS101'))
})

it('spreads courses over the hues', () => {
  const hues = Array.from({ length: 240 }, (_, n) => courseHue(`CS${100 + n}`))
  const counts = Map.groupBy(hues, (hue) => hue)
  expect(counts.size).toBe(24)
  for (const [hue, same] of counts) {
    expect(hue).toBeGreaterThanOrEqual(0)
    expect(hue).toBeLessThan(360)
    expect(same.length).toBeLessThan(25)
  }
})
