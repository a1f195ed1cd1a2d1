import type { BrowserContext, Page } from '@playwright/test'

const repeats = 10
const cpuSlowdown = 4
const cardsInSight = 4

/**
 * Types, likes and opens dialogs on pages with so many cards. Each turn opens the pages again, so that first times count.
 * @returns for each input and turn, the milliseconds to the next frame on the screen, by Event Timing in steps of 8.
 */
export async function measureInputs(context: BrowserContext, cards: number, turns: number) {
  const inputs = new Map<string, number[][]>()
  for (let turn = 0; turn < turns; turn++) {
    const add = (name: string, durationsMs: number[]) => inputs.set(name, [...(inputs.get(name) ?? []), durationsMs])
    const browse = await openSlowly(context, '/browse', cards)
    for (const field of ['text', 'instructor']) {
      await browse.locator(`input[name=${field}]`).focus()
      add(`Typing in the field ${field}`, await measure(browse, () => browse.keyboard.press('a')))
      await browse.keyboard.press('Escape')
    }
    const like = '.rating-buttons-button:not(.rating-buttons-dislike):enabled'
    add('Liking a note', await measure(browse, (n) => click(browse, like, n)))
    await browse.close()

    const ownNotes = await openSlowly(context, '/my-notes', cardsInSight)
    for (const button of ['first', 'last']) {
      const open = async (n: number) => {
        await click(ownNotes, `.note-card-actions > button:${button}-child`, n)
        await ownNotes.locator('[role=dialog]').waitFor()
      }
      const close = async () => {
        await ownNotes.keyboard.press('Escape')
        await ownNotes.locator('[role=dialog]').waitFor({ state: 'detached' })
      }
      add(`Opening the dialog of the ${button} button`, await measure(ownNotes, open, close))
    }
    await ownNotes.close()
  }
  return inputs
}

async function openSlowly(context: BrowserContext, path: string, cards: number): Promise<Page> {
  const page = await context.newPage()
  await page.addInitScript(recordInputs)
  await page.goto(path)
  await page.locator('.note-card').first().waitFor()
  let count = await page.locator('.note-card').count()
  while (count < cards) {
    await page.locator('.load-more > button:not([aria-busy])').evaluate((button: HTMLElement) => button.click())
    await page.waitForFunction((before) => document.querySelectorAll('.note-card').length > before, count)
    count = await page.locator('.note-card').count()
  }
  await page.evaluate(() => window.scrollTo(0, 0))
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  return page
}

/** With the mouse, which is over the button before it presses, as a hand would be. */
async function click(page: Page, selector: string, n: number): Promise<void> {
  const [x = 0, y = 0] = await page.evaluate(
    ([css, index]) => {
      const element = document.querySelectorAll(css)[index]
      element?.scrollIntoView({ block: 'center' })
      const { left, top } = element?.getBoundingClientRect() ?? new DOMRect()
      return [left + 12, top + 12]
    },
    [selector, n % cardsInSight] as const,
  )
  await page.mouse.move(x, y)
  await page.evaluate(takeLongestInput)
  await page.mouse.click(x, y)
}

/** @param undo prepares the next repetition and is not measured. */
async function measure(page: Page, act: (n: number) => Promise<void>, undo = async () => {}): Promise<number[]> {
  const durationsMs: number[] = []
  for (let n = 0; n < repeats; n++) {
    await page.evaluate(takeLongestInput)
    await act(n)
    durationsMs.push(await page.evaluate(takeLongestInput))
    await undo()
  }
  return durationsMs
}

/** Runs in the page: remembers the longest press of a key or button. */
function recordInputs() {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      if (entry.interactionId)
        Reflect.set(window, 'longestMs', Math.max(Reflect.get(window, 'longestMs') ?? 0, entry.duration))
    }
  })
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

/** Runs in the page: waits until what happened is on the screen and reported. @returns the longest since the last call. */
async function takeLongestInput(): Promise<number> {
  for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => setTimeout(resolve, 300))
  const longestMs = Reflect.get(window, 'longestMs') ?? 0
  Reflect.set(window, 'longestMs', 0)
  return longestMs
}
