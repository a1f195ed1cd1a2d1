import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { pageSize } from '../../contract/limits.ts'
import type { NotePage } from '../../contract/search.ts'
import { chromiumArgs, findChromium, findInstalledChromium } from '../../e2e/browser.ts'
import { readConfig } from '../../server/config.ts'
import { startServer } from '../../server/start.ts'
import { makeDataFolder, removeDataFolder } from '../../server/test/data-folder.ts'
import { demoEmail, demoPassword, demoSize, fillLibrary } from '../../tools/demo/fill-library.ts'
import { installOnce } from '../install-once.ts'
import { measureInteractions } from './interactions.ts'
import { auditPage, type PageAudit } from './lighthouse.ts'
import { measureMemory } from './memory.ts'
import { copyNotes, giveNotes } from './more-notes.ts'
import { writeWebReport } from './report.ts'

/**
 * `npm run bench:web`: Lighthouse on the pages people arrive at, how quickly a page of hundreds of cards reacts, and what
 * a page of thousands holds in memory. The real server serves the built pages with a demo library that is larger than
 * usual, of which one student has 500 notes.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '9' },
    only: { type: 'string', default: 'lighthouse,interactions,memory' },
  },
})
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs wants a whole number of at least 1')

const folder = fileURLToPath(new URL('.', import.meta.url))
const cards = 500
const loadMores = 200
const debuggingPort = 9_333
const say = (text: string) => process.stderr.write(`${text}\n`)

// Lighthouse drives tabs of a whole browser; the one of the tests has none.
const browser = process.env.CHROMIUM ?? findInstalledChromium()
if (values.only.includes('lighthouse')) {
  if (browser === undefined) throw new Error('Lighthouse wants a whole Chromium: install one, or name it with CHROMIUM')
  installOnce(folder, 'Lighthouse', say)
}

const loadAtStart = loadavg()[0] ?? 0
const dataDir = await makeDataFolder()
const server = await startServer(
  readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    RATE_LIMIT: 'off',
    // It would go on beside all that is measured.
    RECOGNITION: 'off',
    NODE_ENV: 'development',
  }),
)
const { publicUrl } = server.deps.config
const profile = await makeDataFolder()
const context = await chromium.launchPersistentContext(profile, {
  executablePath: browser ?? (await findChromium()),
  args: [...chromiumArgs, `--remote-debugging-port=${debuggingPort}`],
  baseURL: publicUrl,
  viewport: { width: 1440, height: 900 },
})
try {
  say('Filling the library …')
  await fillLibrary(server.deps, { notes: demoSize.notes + 2 * cards })
  await giveNotes(server.deps.db, demoEmail, cards)
  // Nothing is drawn any more while something is measured.
  say(`${await waitForPictures()} of the cards of /browse have the picture of their first page.`)
  const audits: PageAudit[] = []
  const audit = async (path: string) => {
    say(`Lighthouse on ${path}, ${runs} times …`)
    const result = await auditPage({ url: publicUrl + path, path, runs, port: debuggingPort })
    say(JSON.stringify(result))
    audits.push(result)
  }
  if (values.only.includes('lighthouse')) {
    await audit('/')
    await audit('/login')
  }
  await context.request.post('/api/users/login', { data: { email: demoEmail, password: demoPassword } })
  if (values.only.includes('lighthouse')) await audit('/browse')
  // At once: what comes next takes minutes more.
  const report = { runs, loadAtStart, cards, audits: [], interactions: [], footprints: [] }
  process.stdout.write(writeWebReport({ ...report, audits }))
  if (values.only.includes('interactions')) {
    process.stdout.write(writeWebReport({ ...report, interactions: await measureInteractions(context, cards, say) }))
  }
  if (values.only.includes('memory')) {
    await copyNotes(server.deps, (loadMores + 1) * pageSize)
    process.stdout.write(writeWebReport({ ...report, footprints: await measureMemory(context, loadMores, say) }))
  }
} finally {
  await context.close()
  await server.stop()
  await removeDataFolder(profile)
  await removeDataFolder(dataDir)
}

/** Until every file has been read and drawn. @returns how many of the first cards show a picture; throws where none does. */
async function waitForPictures(): Promise<number> {
  const { db } = server.deps
  const waiting = db
    .selectFrom('documents')
    .select('id')
    .where((where) => where.or([where('text_state', '=', 'waiting'), where('picture_state', '=', 'waiting')]))
  while ((await waiting.limit(1).execute()).length > 0) await delay(500)
  const login = await fetch(`${publicUrl}/api/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: demoEmail, password: demoPassword }),
  })
  const { accessToken } = (await login.json()) as { accessToken: string }
  const headers = { authorization: `Bearer ${accessToken}` }
  const { notes } = (await (await fetch(`${publicUrl}/api/notes`, { headers })).json()) as NotePage
  const withPicture = notes.filter(({ document }) => document.thumbnail !== null).length
  if (withPicture === 0) throw new Error('No card has a picture')
  return withPicture
}
