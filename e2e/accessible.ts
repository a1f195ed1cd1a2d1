import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/**
 * Returns the axe violations of the page. Frames are not tested, because no page has one.
 * @param tags select rules; the default is all rules.
 */
export async function findViolations(page: Page, tags?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (runOnly) => window.axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) }),
    tags,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** Each theme is tested at one width, because the width changes the same things in both. */
const looks = [
  { width: 390, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
] as const

/**
 * Expects no axe violation in either look, and no horizontal overflow on the narrowest phone. Restores the size of the
 * window.
 */
export async function expectAccessible(page: Page, screen: string) {
  const size = page.viewportSize()
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await waitForIdle(page)
    expect(await findViolations(page), `${screen} at ${width} px, ${colorScheme}`).toEqual([])
  }
  await page.setViewportSize({ width: 360, height: 700 })
  await waitForIdle(page)
  expect(await findOverflow(page), `${screen} at 360 px can be pushed sideways`).toEqual([])
  if (size) await page.setViewportSize(size)
}

/** Lists the page's width and the elements that exceed the window, if any do. */
const findOverflow = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth,
    )
    return [`${scrollWidth} px`, ...wide.map(({ tagName, className }) => `${tagName} ${className}`)]
  })

/** Waits until layout and colours are final: a colour in transition has another contrast. */
const waitForIdle = (page: Page) =>
  page.evaluate(async () => {
    // A new size or theme takes effect in the next frame.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    await document.fonts.ready
    // Animations are finished instead of awaited, because content-visibility pauses them outside the viewport.
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getTiming().iterations !== Infinity) animation.finish()
    }
    await new Promise(requestAnimationFrame)
  })
