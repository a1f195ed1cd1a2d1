import { expect, it } from 'vitest'
import { drawSheet } from './sheet-drawing.ts'

const id = (n: number) => `3f2b8a60-0000-4000-8000-${String(n).padStart(12, '0')}`
const numbers = (path: string) => (path.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)

it('draws a seed the same way every time', () => {
  expect(drawSheet(id(1))).toEqual(drawSheet(id(1)))
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
