import { expect, it } from 'vitest'
import { courseHue } from './course-hue.ts'

it('gives a course one hue however its code is written', () => {
  expect(courseHue('cs 101')).toBe(courseHue('CS-101'))
  expect(courseHue('ＣＳ–101')).toBe(courseHue('CS101'))
  expect(courseHue('CS101')).toBe(courseHue('CS101'))
})
