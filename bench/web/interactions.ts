import type { BrowserContext, Page } from '@playwright/test'
import { openList } from './open-list.ts'

/** Milliseconds from each input to the next frame on the screen, as the browser's Event Timing tells them (steps of 8). */
export type Interaction = { name: string; durationsMs: number[] }

/** Each page is opened anew, so that what happens for the first time on it is measured as often. */
const pages = 3
const repeats = 10
const cpuSlowdown = 4
const cardsInSight = 4

/** Types, likes and opens dialogs on pages with `cards` cards, on a processor slowed down four times. */
export async function measureInteractions(
  context: BrowserContext,
  cards: number,
  say: (text: string) => void,
): Promise<Interaction[]> {
  const durations = new Map<string, number[]>()
  const add = (name: string, ms: number[]) => durations.set(name, [...(durations.get(name) ?? []), ...ms])
  for (let turn = 1; turn <= pages; turn++) {
    say(`Reactions with ${cards} cards, ${turn} of ${pages} …`)
    await measureBrowse(context, cards, add)
    await measureDialogs(context, cards, add)
  }
  return [...durations].map(([name, durationsMs]) => ({ name, durationsMs }))
}

type Add = (name: string, durationsMs: number[]) => void

async function measureBrowse(context: BrowserContext, cards: number, add: Add): Promise<void> {
  const page = await openSlowly(context, '/browse', cards)
  const type = async (name: string, field: string) => {
    await page.locator(field).focus()
    add(name, await measure(page, () => page.keyboard.press('a')))
    await page.keyboard.press('Escape')
  }
  await type('Typing in the one box', 'input[name=text]')
  await type('Typing in a filter', 'input[name=instructor]')
  const like = '.rating-buttons-button:not(.rating-buttons-dislike):enabled'
  const likes = await measure(page, (turn) => click(page, like, turn % cardsInSight))
  add('The first like of a page', likes.slice(0, 1))
  add('Liking a note, the first time included', likes)
  await page.close()
}

async function measureDialogs(context: BrowserContext, cards: number, add: Add): Promise<void> {
  const page = await openSlowly(context, '/my-notes', cards)
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
    add(name, await measure(page, open, close))
  }
  await page.close()
}

async function openSlowly(context: BrowserContext, path: string, cards: number): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(recordEvents)
  const list = await openList(page, path)
  while ((await list.countCards()) < cards) await list.loadMore()
  await list.seeAll()
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  return page
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
async function measure(page: Page, act: (turn: number) => Promise<void>, putBack = async () => {}): Promise<number[]> {
  const durationsMs: number[] = []
  for (let turn = 0; turn < repeats; turn++) {
    await page.evaluate(settle)
    await page.evaluate(() => Reflect.get(window, 'takeLongestEvent')())
    await act(turn)
    await page.evaluate(settle)
    durationsMs.push(await page.evaluate(() => Reflect.get(window, 'takeLongestEvent')()))
    await putBack()
  }
  return durationsMs
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
