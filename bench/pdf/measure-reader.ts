import { setTimeout as delay } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import { chromiumArgs, findChromium } from '../../e2e/browser.ts'
import type { ChildServer } from '../child-server.ts'
import { benchEmails, benchPassword } from '../fill-database.ts'
import { median } from '../median.ts'
import { makeScannedBook } from './make-files.ts'
import { logIn, upload } from './measure-server.ts'

/** What Lighthouse calls slow 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms to and fro. */
const network = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }

export type FirstPage = { name: string; seconds: number; bytes: number }

/**
 * From the click on "Read" to the first page of 100 MB of scans being drawn, and what came over the network for it, each
 * the middle one of so many times. In a browser that has never opened the reader, and in one that has its scripts.
 */
export async function measureFirstPage(server: ChildServer, times: number): Promise<FirstPage[]> {
  const headers = await logIn(server)
  const notes = []
  for (let at = 0; at < 2; at++) notes.push(await upload(server, headers, await makeScannedBook(100 * 2 ** 20)))
  const [large, other] = notes
  if (!large || !other) throw new Error('The books were not uploaded')
  const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs })
  try {
    const [never, known]: FirstPage[][] = [[], []]
    for (let time = 0; time < times; time++) {
      const context = await browser.newContext({ baseURL: server.origin, viewport: { width: 1440, height: 900 } })
      await context.request.post('/api/users/login', { data: { email: benchEmails[0], password: benchPassword } })
      const page = await context.newPage()
      never?.push(await openThrottled(page, 'Never opened the reader', large._id))
      known?.push(await openThrottled(page, 'Has its scripts', other._id))
      await context.close()
    }
    return [never, known].map((runs = []) => ({
      name: runs[0]?.name ?? '',
      seconds: median(runs.map(({ seconds }) => seconds)),
      bytes: median(runs.map(({ bytes }) => bytes)),
    }))
  } finally {
    await browser.close()
  }
}

async function openThrottled(page: Page, name: string, noteId: string): Promise<FirstPage> {
  await page.goto('/browse')
  await page.getByRole('article').first().waitFor()
  await delay(2_000)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  let bytes = 0
  devtools.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await devtools.send('Network.emulateNetworkConditions', network)
  const read = page.locator(`.note-card-read[href^="/notes/${noteId}"]`).first()
  const startedAt = performance.now()
  await read.click()
  await page.locator('[data-page-number="1"][data-loaded="true"] canvas').waitFor({ timeout: 60_000 })
  const seconds = (performance.now() - startedAt) / 1000
  await devtools.detach()
  return { name, seconds, bytes }
}
