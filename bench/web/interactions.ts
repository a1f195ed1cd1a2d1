import type { BrowserContext, CDPSession, Page } from '@playwright/test'

/** Milliseconds from each input to the next frame on the screen, as the browser's Event Timing tells them (steps of 8). */
export type Interaction = { name: string; durationsMs: number[] }

const repeats = 10
const cpuSlowdown = 4

/** Types, likes and opens dialogs on pages with `cards` cards, on a processor slowed down four times. */
export async function measureInteractions(
  context: BrowserContext,
  cards: number,
  say: (text: string) => void,
): Promise<Interaction[]> {
  say(`Reactions with ${cards} cards …`)
  // Most liked first: the student who looks on owns the many without a like, and nobody rates an own note.
  const browse = await openList(context, '/browse?sortBy=likes', cards)
  await browse.page.locator('input[type=search]:not([role])').first().focus()
  await browse.slowDown(cpuSlowdown)
  const typing = await measure(browse.page, 'Typing in the title field', () => browse.page.keyboard.press('a'))
  const like = await measure(browse.page, 'Liking a note', (turn) =>
    click(browse.page, '.rating-like:enabled', turn % cardsInSight),
  )
  await browse.page.close()

  const { page, slowDown } = await openList(context, '/my-notes', cards)
  await slowDown(cpuSlowdown)
  const dialogs: Interaction[] = []
  for (const [name, button] of [
    ['Opening the edit dialog', 'first-child'],
    ['Opening the delete dialog', 'last-child'],
  ] as const) {
    const open = async (turn: number) => {
      await click(page, `.note-card-actions > button:${button}`, turn % cardsInSight)
      await page.waitForFunction(() => document.querySelector('[role=dialog]') !== null)
    }
    const close = async () => {
      await page.keyboard.press('Escape')
      await page.waitForFunction(() => document.querySelector('[role=dialog]') === null)
    }
    dialogs.push(await measure(page, name, open, close))
  }
  await page.close()
  return [typing, like, ...dialogs]
}

const cardsInSight = 4

/** Opens a list and loads more of it until there are enough cards. */
async function openList(context: BrowserContext, path: string, cards: number) {
  const page = await context.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.addInitScript(recordEvents)
  await page.goto(path)
  await page.locator('.note-card').first().waitFor()
  const countCards = () => page.evaluate(() => document.querySelectorAll('.note-card').length)
  for (let count = await countCards(); count < cards; count = await countCards()) {
    await page.getByRole('button', { name: 'Load More' }).evaluate((button: HTMLElement) => button.click())
    await page.waitForFunction((before) => document.querySelectorAll('.note-card').length > before, count)
  }
  await page.evaluate(() => window.scrollTo(0, 0))
  const session: CDPSession = await context.newCDPSession(page)
  return { page, slowDown: (rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate }) }
}

/**
 * With the real mouse, which is there before it presses, as a hand is. By place and not by role: to look for roles among
 * thousands of buttons takes the browser longer than all that is measured here.
 */
async function click(page: Page, selector: string, at: number): Promise<void> {
  const [x = 0, y = 0] = await page.evaluate(
    ([css, index]) => {
      const element = document.querySelectorAll(css)[index]
      element?.scrollIntoView({ block: 'center' })
      const { left, top } = element?.getBoundingClientRect() ?? new DOMRect()
      return [left + 12, top + 12]
    },
    [selector, at] as const,
  )
  await page.mouse.move(x, y)
  await page.evaluate(settle)
  await page.evaluate(() => Reflect.get(window, 'takeLongestEvent')())
  await page.mouse.click(x, y)
}

/** @param putBack makes ready for the next turn; not measured. */
async function measure(
  page: Page,
  name: string,
  act: (turn: number) => Promise<void>,
  putBack = async () => {},
): Promise<Interaction> {
  const durationsMs: number[] = []
  for (let turn = 0; turn < repeats; turn++) {
    await page.evaluate(settle)
    await page.evaluate(() => Reflect.get(window, 'takeLongestEvent')())
    await act(turn)
    await page.evaluate(settle)
    durationsMs.push(await page.evaluate(() => Reflect.get(window, 'takeLongestEvent')()))
    await putBack()
  }
  return { name, durationsMs }
}

/** Runs in the page: remembers the longest press of a key or button since it was last asked. */
function recordEvents() {
  let longestMs = 0
  const keep = (entries: PerformanceEntryList) => {
    for (const entry of entries) {
      if ((entry as PerformanceEventTiming).interactionId) longestMs = Math.max(longestMs, entry.duration)
    }
  }
  const observer = new PerformanceObserver((list) => keep(list.getEntries()))
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  Reflect.set(window, 'takeLongestEvent', () => {
    keep(observer.takeRecords())
    const longest = longestMs
    longestMs = 0
    return longest
  })
}

/** Runs in the page: until what was asked of it is on the screen and reported. */
async function settle() {
  for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => setTimeout(resolve, 300))
}
