import type { BrowserContext } from '@playwright/test'
import { openList } from './open-list.ts'

/** What a list of so many cards holds once everything that can go is gone. */
export type Footprint = { loadMores: number; cards: number; heapBytes: number; nodes: number }

const every = 50

/** Loads more `times` times, each page seen, and weighs the page now and then. */
export async function measureMemory(
  context: BrowserContext,
  times: number,
  say: (text: string) => void,
): Promise<Footprint[]> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const list = await openList(page, '/browse')
  const footprints: Footprint[] = []
  for (let loadMores = 0; loadMores <= times; loadMores++) {
    if (loadMores > 0) {
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      await list.loadMore()
    }
    if (loadMores % every !== 0) continue
    say(`Memory after ${loadMores} load-mores …`)
    // What an observer or a transition still holds goes with the frame after it.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 2_000)))
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const { nodes } = await session.send('Memory.getDOMCounters')
    footprints.push({ loadMores, cards: await list.countCards(), heapBytes: usedSize, nodes })
  }
  await page.close()
  return footprints
}
