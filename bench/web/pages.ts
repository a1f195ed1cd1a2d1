import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type BrowserContext, chromium } from '@playwright/test'
import { pageSize } from '../../contract/limits.ts'
import type { NotePage } from '../../contract/search.ts'
import { chromiumArgs, findChromium, findInstalledChromium } from '../../e2e/browser.ts'
import { makeScan, uploadToLectern } from '../documents.ts'
import { calibrate, median, percentile, spreadOf } from '../figures.ts'
import { emailOf, password } from '../fill.ts'
import { installOnce } from '../install.ts'
import { options, say, withLibrary } from '../library.ts'
import { timeCall } from '../load.ts'
import { root, startLectern } from '../processes.ts'
import { getJson, logInAll, type Students } from '../students.ts'
import { type Row, report } from '../table.ts'
import { measureInteractions } from './interactions.ts'
import { type Audit, runLighthouse } from './lighthouse.ts'

/** `npm run bench -- pages`: what a browser loads first, Lighthouse on a Slow 4G, and inputs on a slow processor. */

const port = 9_333
const [lighthouseRuns, turns, cards] = options.quick ? [2, 1, 48] : [9, 3, 500]

await withLibrary({ notes: 2_000 }, async (library) => {
  const server = await startLectern(library.env, library.logFile)
  await uploadFirstPage(server.origin, await logInAll(server.origin))
  const profile = await mkdtemp(join(tmpdir(), 'lectern-bench-browser-'))
  // Lighthouse needs a whole browser; the one of the tests is reduced.
  const browser = process.env.CHROMIUM ?? findInstalledChromium()
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser ?? (await findChromium()),
    args: [...chromiumArgs, `--remote-debugging-port=${port}`],
    baseURL: server.origin,
    viewport: { width: 1440, height: 900 },
  })
  try {
    const rows = [measureScripts(), ...(browser ? await auditPages(context, server.origin) : noBrowser())]
    say(`Inputs with ${cards} cards …`)
    for (const [name, durationsMs] of await measureInteractions(context, cards, turns))
      rows.push(inputRow(name, durationsMs))
    const what = `Lighthouse ${lighthouseRuns} times on simulated Slow 4G, inputs with ${cards} cards and the processor slowed 4x`
    await report('pages', what, rows)
  } finally {
    await context.close()
    await server.stop()
    await rm(profile, { recursive: true, force: true })
  }
})

/** The newest notes are real documents, because their cards show an image of the first page. */
async function uploadFirstPage(origin: string, students: Students): Promise<void> {
  say('Uploading the notes of the first page …')
  const [reader] = students
  const firstPage = async () => {
    const { notes } = await getJson<NotePage>(origin, { path: '/api/notes', ...(reader && { headers: reader }) })
    return notes.filter(({ document }) => document.thumbnail !== null).length
  }
  // Those of a kept library are there already.
  if ((await firstPage()) < pageSize) {
    for (let n = 0; n < pageSize; n++) {
      const upload = uploadToLectern(await makeScan(`Page of the note ${n}. `.repeat(30), 128), false)
      const headers = { ...upload.headers, ...students[n % students.length] }
      if (Number.isNaN(await timeCall(origin, { ...upload, headers }))) throw new Error('An upload was refused')
    }
  }
  while ((await firstPage()) < pageSize) await delay(200)
}

/** What index.html loads before anything is shown. */
function measureScripts(): Row {
  const folder = join(root, 'dist/web')
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const scripts = /<script[^>]*\ssrc="([^"]+)"|<link rel="modulepreload"[^>]*href="([^"]+)"/g
  const bytes = [...html.matchAll(scripts)].map(
    ([, script, preload]) => gzipSync(readFileSync(join(folder, script ?? preload ?? ''))).length,
  )
  const measured = bytes.reduce((sum, size) => sum + size, 0) / 1000
  return { name: 'Script at the start, gzipped', unit: 'kB', budget: { atMost: 120 }, measured }
}

function noBrowser(): Row[] {
  say('Lighthouse is left out: it needs Chromium or Chrome. Install one, or name it with CHROMIUM.')
  return []
}

async function auditPages(context: BrowserContext, origin: string): Promise<Row[]> {
  installOnce(fileURLToPath(new URL('.', import.meta.url)))
  const rows = [...(await auditPage('/', origin)), ...(await auditPage('/login', origin))]
  await context.request.post('/api/users/login', { data: { email: emailOf(0), password } })
  return [...rows, ...(await auditPage('/browse', origin, { atMost: 3_500 }))]
}

/** @param largestPaint the budget of the largest paint, which is the cards on a page that has some. */
async function auditPage(path: string, origin: string, largestPaint?: { atMost: number }): Promise<Row[]> {
  say(`Lighthouse on ${path} …`)
  const audits: Audit[] = []
  for (let run = 0; run < lighthouseRuns; run++) {
    calibrate()
    audits.push(await runLighthouse(origin + path, port))
  }
  const row = (name: string, unit: 'ms' | 'CLS', key: keyof Audit, budget?: { atMost: number }): Row => {
    const values = audits.map((audit) => audit[key])
    const noise = unit === 'CLS' ? {} : { noise: spreadOf(values) || 0 }
    return { name: `${path}: ${name}`, unit, budget, measured: median(values), ...noise }
  }
  return [
    row('first text', 'ms', 'firstPaintMs', { atMost: 1_200 }),
    row('largest paint', 'ms', 'largestPaintMs', largestPaint),
    row('blocked', 'ms', 'blockedMs'),
    row('layout shift', 'CLS', 'layoutShift', { atMost: 0 }),
  ]
}

function inputRow(name: string, durationsMs: number[][]): Row {
  const all = durationsMs.flat()
  const noise = spreadOf(durationsMs.map((turn) => percentile(turn, 0.95)))
  return {
    name: `${name}, p95`,
    unit: 'ms',
    budget: { atMost: 100 },
    measured: percentile(all, 0.95),
    medianMs: median(all),
    noise,
  }
}
