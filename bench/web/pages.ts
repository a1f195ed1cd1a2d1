import { execFile } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { chromiumArgs, findInstalledChromium } from '../../e2e/browser.ts'
import { pageSize } from '../../packages/contract/limits.ts'
import type { NotePage } from '../../packages/contract/search.ts'
import { median, percentile, spreadOf } from '../figures.ts'
import { emailOf, password } from '../fill.ts'
import { installOnce, options, say, withLibrary } from '../library.ts'
import { inTurn, logInAll, makeScan, type Student, send, uploadToLectern } from '../load.ts'
import { startLectern } from '../processes.ts'
import { type Row, report } from '../table.ts'

/** `npm run bench -- pages`: runs Lighthouse on a Slow 4G, and measures inputs on a slow processor. */

const port = 9_333
const [repeats, cpuSlowdown, cardsInSight] = [10, 4, 4]
const [runs, turns, cards] = options.quick ? [2, 1, 48] : [9, 3, 500]
const packageFolder = fileURLToPath(new URL('.', import.meta.url))
const executablePath = process.env.CHROMIUM ?? findInstalledChromium()
// The browser of the tests is reduced, but Lighthouse needs a full one.
if (!executablePath) throw new Error('Install Chromium or Chrome, or name one with CHROMIUM')

await withLibrary({ notes: 2_000 }, async (library) => {
  installOnce(packageFolder)
  const server = await startLectern(library.env, library.logFile)
  const noteId = await uploadFirstPage(server.origin, await logInAll(server.origin))
  await using profile = await mkdtempDisposable(join(tmpdir(), 'lectern-bench-browser-'))
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath,
    args: [...chromiumArgs, `--remote-debugging-port=${port}`],
    baseURL: server.origin,
    viewport: { width: 1440, height: 900 },
  })
  try {
    const rows = await auditPage(server.origin, '/')
    await context.request.post('/api/users/login', { data: { email: emailOf(0), password } })
    for (const path of ['/browse', `/notes/${noteId}`]) rows.push(...(await auditPage(server.origin, path)))
    rows.push(...(await measureAllInputs(context)))
    await report('pages', `Lighthouse ${runs} times, inputs with ${cards} cards and the processor slowed 4x`, rows)
  } finally {
    await context.close()
    await server.stop()
  }
})

/**
 * The newest notes are real documents, because their cards show an image of the first page.
 * @returns the id of one.
 */
async function uploadFirstPage(origin: string, students: Student[]): Promise<string | undefined> {
  say('Uploading the notes of the first page …')
  const pdf = await makeScan('A line of the first page. '.repeat(30), 128)
  const upload = inTurn([() => uploadToLectern(pdf, false)], students)
  for (let n = 0; n < pageSize; n++) await send(origin, upload())
  const list = inTurn([{ path: '/api/notes' }], students)
  for (;;) {
    const { notes } = await send<NotePage>(origin, list())
    if (notes.every(({ document }) => document.thumbnail !== null)) return notes[0]?._id
    await delay(200)
  }
}

type Audits = Record<string, { numericValue?: number }>

/** On a page with cards, the largest paint is that of the cards. */
async function auditPage(origin: string, path: string): Promise<Row[]> {
  say(`Lighthouse on ${path} …`)
  const audits: Audits[] = []
  for (let run = 0; run < runs; run++) audits.push(await runLighthouse(origin + path))
  const row = (name: string, audit: string, unit: Row['unit'], budget?: Row['budget']): Row => {
    const values = audits.map((of) => of[audit]?.numericValue ?? Number.NaN)
    return { name: `${path}: ${name}`, unit, budget, measured: median(values), noise: spreadOf(values) }
  }
  return [
    row('first text', 'first-contentful-paint', 'ms', { atMost: 1_200 }),
    row('largest paint', 'largest-contentful-paint', 'ms', { atMost: 3_500 }),
    row('blocked', 'total-blocking-time', 'ms'),
    row('layout shift', 'cumulative-layout-shift', 'CLS', { atMost: 0 }),
    row('Lighthouse', 'score', 'points', { atLeast: 98 }),
  ]
}

/**
 * Uses the mobile preset with its simulated Slow 4G in the existing browser, whose cookies keep the student logged in.
 */
async function runLighthouse(url: string, attempts = 4): Promise<Audits> {
  const program = `${packageFolder}node_modules/lighthouse/cli/index.js`
  const flags = ['--disable-storage-reset', '--output=json', '--quiet', '--only-categories=performance']
  try {
    const args = [program, url, `--port=${port}`, ...flags, '--no-enable-error-reporting']
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 })
    const { audits, categories } = JSON.parse(stdout)
    return { ...audits, score: { numericValue: 100 * categories.performance.score } }
  } catch (error) {
    // Errors of Lighthouse itself, which are frequent on a busy machine, are unrelated to the page.
    if (attempts === 1 || !String(error).includes('Runtime error')) throw error
    return runLighthouse(url, attempts - 1)
  }
}

async function measureAllInputs(context: BrowserContext): Promise<Row[]> {
  say(`Inputs with ${cards} cards …`)
  return [...(await measureInputs(context))].map(([name, durationsMs]) => {
    const noise = spreadOf(durationsMs.map((turn) => percentile(turn, 0.95)))
    const [measured, medianMs] = [percentile(durationsMs.flat(), 0.95), median(durationsMs.flat())]
    return { name: `${name}, p95`, unit: 'ms', budget: { atMost: 100 }, measured, medianMs, noise }
  })
}

/**
 * Types, likes and opens dialogs on pages with many cards. Each round reloads the pages, so that first uses count.
 * @returns for each input and round, the milliseconds to the next painted frame, by Event Timing in steps of 8.
 */
async function measureInputs(context: BrowserContext) {
  const inputs = new Map<string, number[][]>()
  for (let turn = 0; turn < turns; turn++) {
    const add = (name: string, durationsMs: number[]) => inputs.set(name, [...(inputs.get(name) ?? []), durationsMs])
    const browse = await openSlowly(context, '/browse', cards)
    await browse.locator('input[name=text]').focus()
    add('Typing a search', await measure(browse, () => browse.keyboard.press('a')))
    await browse.keyboard.press('Escape')
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
    const loadMore = page.getByRole('button', { name: 'Load More' }).and(page.locator(':not([aria-busy])'))
    await loadMore.evaluate((button: HTMLElement) => button.click())
    await page.waitForFunction((before) => document.querySelectorAll('.note-card').length > before, count)
    count = await page.locator('.note-card').count()
  }
  await page.evaluate(() => window.scrollTo(0, 0))
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  return page
}

async function click(page: Page, selector: string, n: number): Promise<void> {
  const button = page.locator(selector).nth(n % cardsInSight)
  // A real mouse pointer is also over a button before the click.
  await button.hover()
  await page.evaluate(takeLongestInput)
  await button.click()
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

/** Runs in the page: records the longest press of a key or button. */
function recordInputs() {
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceEventTiming[]) {
      if (entry.interactionId)
        Reflect.set(window, 'longestMs', Math.max(Reflect.get(window, 'longestMs') ?? 0, entry.duration))
    }
  })
  observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

/**
 * Runs in the page: waits until the input is painted and reported.
 * @returns the longest duration since the last call.
 */
async function takeLongestInput(): Promise<number> {
  for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => setTimeout(resolve, 300))
  const longestMs = Reflect.get(window, 'longestMs') ?? 0
  Reflect.set(window, 'longestMs', 0)
  return longestMs
}
