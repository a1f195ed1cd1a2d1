import { expect, it } from 'vitest'
import { courseHue } from './course-hue.ts'
import { drawSheet } from './sheet-drawing.ts'

const id = (n: number) => `3f2b8a60-0000-4000-8000-${String(n).padStart(12, '0')}`
const numbers = (path: string) => (path.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)

it('draws a note the same way every time', () => {
  expect(drawSheet(id(1))).toEqual(drawSheet(id(1)))
})

it('draws different notes differently', () => {
  const drawings = new Set(Array.from({ length: 200 }, (_, n) => drawSheet(id(n)).lines))
  expect(drawings.size).toBeGreaterThan(195)
})

it('stays on the sheet', () => {
  for (let n = 0; n < 300; n++) {
    const drawing = drawSheet(id(n))
    expect(drawing.lines).not.toBe('')
    expect(drawing.marks).not.toBe('')
    for (const value of numbers(drawing.lines + drawing.figure + drawing.marks)) {
      expect(value).toBeGreaterThan(0)
      expect(value).toBeLessThan(141.4)
    }
  }
})

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
