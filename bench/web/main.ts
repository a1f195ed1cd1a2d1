import { loadavg } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import type { NotePage } from '../../contract/search.ts'
import { chromiumArgs, findChromium, findInstalledChromium } from '../../e2e/browser.ts'
import { uploadNotes } from '../../e2e/upload-notes.ts'
import { readConfig } from '../../server/config.ts'
import { startServer } from '../../server/start.ts'
import { makeDataFolder, removeDataFolder } from '../../server/test/data-folder.ts'
import { demoEmail, demoPassword, fillLibrary } from '../../tools/demo/fill-library.ts'
import { installOnce } from '../install-once.ts'
import { measureInteractions } from './interactions.ts'
import { auditPage, type PageAudit } from './lighthouse.ts'
import { writeWebReport } from './report.ts'

/**
 * `npm run bench:web`: Lighthouse on the pages people arrive at, and how quickly a page of hundreds of cards reacts.
 * The real server serves the built pages with the demo library, over which one student has 500 notes more.
 */
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, only: { type: 'string', default: 'lighthouse,interactions' } },
})
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs wants a whole number of at least 1')

const folder = fileURLToPath(new URL('.', import.meta.url))
const cards = 500
const debuggingPort = 9_333
const say = (text: string) => process.stderr.write(`${text}\n`)

if (values.only.includes('lighthouse')) installOnce(folder, 'Lighthouse', say)

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
  // Lighthouse drives tabs of a whole browser; the one of the tests has none.
  executablePath: process.env.CHROMIUM ?? findInstalledChromium() ?? (await findChromium()),
  args: [...chromiumArgs, `--remote-debugging-port=${debuggingPort}`],
  baseURL: publicUrl,
  viewport: { width: 1440, height: 900 },
})
try {
  say('Filling the library …')
  await fillLibrary(server.deps)
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
  const answer = await context.request.post('/api/users/login', { data: { email: demoEmail, password: demoPassword } })
  const { accessToken } = await answer.json()
  const pictures = await waitForPictures(accessToken)
  say(`${pictures} of the cards of /browse have the picture of their first page.`)
  if (values.only.includes('lighthouse')) await audit('/browse')
  const student = { name: '', email: demoEmail, password: demoPassword, accessToken }
  for (let at = 0; at < cards; at += 10) {
    const titles = Array.from({ length: 10 }, (_, index) => `Exercise sheet ${at + index + 1}`)
    await uploadNotes(context.request, student, titles, { courseCode: `MAT${200 + (at % 7)}` })
  }
  if (values.only.includes('interactions')) await waitForPictures(accessToken)
  // At once: what comes next takes minutes more.
  process.stdout.write(writeWebReport({ runs, loadAtStart, audits, interactions: [], cards }))
  const interactions = values.only.includes('interactions') ? await measureInteractions(context, cards, say) : []
  process.stdout.write(writeWebReport({ runs, loadAtStart, audits: [], interactions, cards }))
} finally {
  await context.close()
  await server.stop()
  await removeDataFolder(profile)
  await removeDataFolder(dataDir)
}

/** Until every file has been read and drawn. @returns how many of the first cards show a picture; throws where none does. */
async function waitForPictures(accessToken: string): Promise<number> {
  const { db } = server.deps
  const waiting = db
    .selectFrom('documents')
    .select('id')
    .where((where) => where.or([where('text_state', '=', 'waiting'), where('picture_state', '=', 'waiting')]))
  while ((await waiting.limit(1).execute()).length > 0) await delay(500)
  const headers = { authorization: `Bearer ${accessToken}` }
  const { notes } = (await (await fetch(`${publicUrl}/api/notes`, { headers })).json()) as NotePage
  const withPicture = notes.filter(({ document }) => document.thumbnail !== null).length
  if (withPicture === 0) throw new Error('No card has a picture')
  return withPicture
}
