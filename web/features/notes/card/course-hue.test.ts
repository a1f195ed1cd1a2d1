import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { courseHue, courseHues } from './course-hue.ts'

it('gives a course one hue however its code is written', () => {
  expect(courseHue('cs 101')).toBe(courseHue('CS-101'))
  expect(courseHue('ＣＳ–101')).toBe(courseHue('CS101'))
  expect(courseHue('CS101')).toBe(courseHue('CS101'))
})

/** The colours come from the style sheets: WCAG contrast is computed for every hue that a course can get. */
const css = ['../../../styles.css', './note-thumbnail.css']
  .map((sheet) => readFileSync(new URL(sheet, import.meta.url), 'utf8'))
  .join('')

type Oklch = { l: number; c: number; h: number }

/** Returns both themes of a custom property: `[light, dark]`. */
function colours(css: string, name: string, hue: number): Oklch[] {
  const value = new RegExp(`--${name}:\\s*([^;]+);`).exec(css)?.[1]
  if (value === undefined) throw new Error(`no --${name}`)
  const found = [...value.matchAll(/oklch\(([\d.]+) ([\d.]+) (var\(--hue\)|[\d.]+)\)/g)].map(([, l, c, h]) => ({
    l: Number(l),
    c: Number(c),
    h: h === 'var(--hue)' ? hue : Number(h),
  }))
  const [light, dark = light] = found
  if (light === undefined || dark === undefined) throw new Error(`--${name} is not in OKLCH`)
  return [light, dark]
}

/** Computes the relative luminance of WCAG 2. Colours outside sRGB are clipped, as a screen does. */
function luminance({ l, c, h }: Oklch): number {
  const a = c * Math.cos((h * Math.PI) / 180)
  const b = c * Math.sin((h * Math.PI) / 180)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const cut = (value: number) => Math.min(1, Math.max(0, value))
  const red = cut(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short)
  const green = cut(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short)
  const blue = cut(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: Oklch | undefined, other: Oklch | undefined): number {
  if (one === undefined || other === undefined) throw new Error('a theme is missing')
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

it('every hue of a course has enough contrast in both themes', () => {
  const measured = courseHues.flatMap((hue) => {
    const pairs: [ink: Oklch[], ground: Oklch[], ratio: number][] = [
      [colours(css, 'course-ink', hue), colours(css, 'course-wash', hue), 4.5],
      [colours(css, 'page-ink', hue), colours(css, 'page', hue), 4.5],
      [colours(css, 'spine', hue), colours(css, 'sheet', hue), 3],
    ]
    return pairs.flatMap(([ink, ground, ratio]) =>
      [0, 1].map((theme) => ({ hue, theme, missing: ratio - contrast(ink[theme], ground[theme]) })),
    )
  })
  expect(measured).not.toEqual([])
  expect(measured.filter(({ missing }) => missing > 0)).toEqual([])
})
