import { readFileSync } from 'node:fs'
import axe from 'axe-core'
import { expect, it } from 'vitest'
import { courseHue, courseHues } from './course-hue.ts'

it('gives a course one hue however its code is written', () => {
  expect(courseHue('cs 101')).toBe(courseHue('CS-101'))
  expect(courseHue('ＣＳ–101')).toBe(courseHue('CS101'))
  expect(courseHue('CS101')).toBe(courseHue('CS101'))
})

type Color = { parseString(text: string): void }
type AxeColor = { Color: new () => Color; getContrast(ground: Color, ink: Color): number }
const { color } = (axe as unknown as { commons: { color: AxeColor } }).commons

const css = ['../../../styles.css', './note-thumbnail.css']
  .map((sheet) => readFileSync(new URL(sheet, import.meta.url), 'utf8'))
  .join('')

/** Returns both themes of a custom property: `[light, dark]`. */
function colours(name: string, hue: number): Color[] {
  const value = new RegExp(`--${name}:\\s*([^;]+);`).exec(css)?.[1]?.replaceAll('var(--hue)', String(hue))
  const [light, dark = light] = value?.match(/oklch\([^)]+\)/g) ?? []
  if (!light || !dark) throw new Error(`--${name} is not in OKLCH`)
  return [light, dark].map((text) => {
    const parsed = new color.Color()
    parsed.parseString(text)
    return parsed
  })
}

it('every hue of a course has the contrast of WCAG in both themes', () => {
  expect(courseHues.length).toBeGreaterThan(0)
  const tooLow: object[] = []
  for (const hue of courseHues) {
    for (const [ink, ground, ratio] of [
      ['course-ink', 'course-wash', 4.5],
      ['page-ink', 'page', 4.5],
      ['spine', 'sheet', 3],
    ] as const) {
      const [inks, grounds] = [colours(ink, hue), colours(ground, hue)]
      const contrasts = grounds.map((each, theme) => color.getContrast(each, inks[theme] ?? each))
      if (Math.min(...contrasts) < ratio) tooLow.push({ hue, ink, contrasts })
    }
  }
  expect(tooLow).toEqual([])
})
