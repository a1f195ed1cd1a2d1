import type { BrowserContext, Page } from '@playwright/test'

/** Milliseconds from each input to the next frame on the screen, by Event Timing, in steps of 8; a list for each page. */
export type Interactions = Map<string, number[][]>

const repeats = 10
const cpuSlowdown = 4
const cardsInSight = 4

/** Types, likes and opens dialogs on pages with so many cards. Each turn opens the pages again, so that first times count. */
export async function measureInteractions(
  context: BrowserContext,
  cards: number,
  turns: number,
): Promise<Interactions> {
  const interactions: Interactions = new Map()
  const add = (name: string, durationsMs: number[]) =>
    interactions.set(name, [...(interactions.get(name) ?? []), durationsMs])
  for (let turn = 0; turn < turns; turn++) {
    const browse = await openSlowly(context, '/browse', cards)
    const type = async (field: string) => {
      await browse.locator(field).focus()
      const durationsMs = await measure(browse, () => browse.keyboard.press('a'))
      await browse.keyboard.press('Escape')
      return durationsMs
    }
    add('Typing a search', await type('input[name=text]'))
    add('Typing a filter', await type('input[name=instructor]'))
    const like = '.rating-buttons-button:not(.rating-buttons-dislike):enabled'
    add('Liking a note', await measure(browse, (n) => click(browse, like, n % cardsInSight)))
    await browse.close()

    const ownNotes = await openSlowly(context, '/my-notes', cardsInSight)
    for (const [name, button] of [
      ['Opening the edit dialog', 'first-child'],
      ['Opening the delete dialog', 'last-child'],
    ] as const) {
      const open = async (n: number) => {
        await click(ownNotes, `.note-card-actions > button:${button}`, n % cardsInSight)
        await ownNotes.waitForFunction(() => document.querySelector('[role=dialog]') !== null)
      }
      const close = async () => {
        await ownNotes.keyboard.press('Escape')
        await ownNotes.waitForFunction(() => document.querySelector('[role=dialog]') === null)
      }
      add(name, await measure(ownNotes, open, close))
    }
    await ownNotes.close()
  }
  return interactions
}

async function openSlowly(context: BrowserContext, path: string, cards: number): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(recordEvents)
  await page.goto(path)
  await page.locator('.note-card').first().waitFor()
  const countCards = () => page.evaluate(() => document.querySelectorAll('.note-card').length)
  for (let count = await countCards(); count < cards; count = await countCards()) {
    // By selector: to look for roles among hundreds of cards takes longer than all that is measured.
    await page.locator('.load-more > button:not([aria-busy])').evaluate((button: HTMLElement) => button.click())
    await page.waitForFunction((before) => document.querySelectorAll('.note-card').length > before, count)
  }
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.evaluate(settle)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  return page
}

/** With the mouse, which is over the button before it presses, as a hand would be. */
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

/** @param undo prepares the next repetition and is not measured. */
async function measure(page: Page, act: (n: number) => Promise<void>, undo = async () => {}): Promise<number[]> {
  const durationsMs: number[] = []
  for (let n = 0; n < repeats; n++) {
    await page.evaluate(settle)
    await page.evaluate(() => Reflect.get(window, 'takeLongestEvent')())
    await act(n)
    await page.evaluate(settle)
    durationsMs.push(await page.evaluate(() => Reflect.get(window, 'takeLongestEvent')()))
    await undo()
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

/** Runs in the page: waits until the response to an input is on the screen and reported. */
async function settle() {
  for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => setTimeout(resolve, 300))
}
