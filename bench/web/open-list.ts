import type { Page } from '@playwright/test'

/** Opens a list of notes, of which more can be loaded. */
export async function openList(page: Page, path: string) {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(path)
  await page.locator('.note-card').first().waitFor()
  const countCards = () => page.evaluate(() => document.querySelectorAll('.note-card').length)
  return {
    countCards,
    async loadMore() {
      const before = await countCards()
      // By place and not by role: to look for roles among thousands of buttons takes longer than all else.
      await page.locator('.load-more > button:not([aria-busy])').evaluate((button: HTMLElement) => button.click())
      await page.waitForFunction((count) => document.querySelectorAll('.note-card').length > count, before)
    },
    /** As who has scrolled down to the end of it and up again: every picture in between was on the screen. */
    async seeAll() {
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      for (let top = 0; top < height; top += screenHeight) {
        await page.evaluate((to) => window.scrollTo(0, to), top)
        await page.waitForFunction(picturesAreThere)
      }
      await page.evaluate(() => window.scrollTo(0, 0))
      // The first cards were far away, and so without their buttons; see docs/decisions/0071-far-cards-are-written-small.md.
      await page.waitForFunction(() =>
        document.querySelector('.card-grid-block:not(.card-grid-far)')?.matches(':first-child'),
      )
    },
  }
}

const screenHeight = 900

/** Runs in the page: of what is in sight. */
function picturesAreThere() {
  return [...document.images].every((image) => {
    const { top, bottom } = image.getBoundingClientRect()
    return image.complete || bottom < 0 || top > innerHeight
  })
}
