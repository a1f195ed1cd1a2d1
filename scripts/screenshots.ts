import { copyFile, rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type APIRequestContext, chromium, type Page } from '@playwright/test'
import { chromiumArgs, findChromium } from '../e2e/browser.ts'
import { readConfig } from '../server/config.ts'
import { createUser } from '../server/features/accounts/users/users.ts'
import { setRole } from '../server/features/auth/roles/roles.ts'
import { startServer } from '../server/operations/start/start-server.ts'
import { inTransaction } from '../server/platform/db/transaction.ts'
import { makeDataFolder, removeDataFolder } from '../server/testing/data-folder.ts'
import { onePagePdf } from '../server/testing/pdf.ts'
import { demoEmail, demoPassword, fillLibrary } from './demo/fill-library.ts'

/**
 * `npm run screenshots`: saves the important screens of the demo library in both themes at three widths to
 * `screenshots/`, and the image of the README. `--only browse` selects screens by the start of their name.
 */
type Screen = [name: string, path: string, prepare?: (page: Page) => Promise<unknown>]

/** A word that occurs in several notes of the demo library. */
const word = 'energy'
const folder = 'screenshots/'
const { only } = parseArgs({ options: { only: { type: 'string', default: '' } } }).values
const newUser = { name: 'Mia Berg', email: 'mia.berg@uni.example' }
const admin = { name: 'Noor Haddad', email: 'noor.haddad@uni.example' }
const press = (name: RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const open = (selector: string) => (page: Page) => page.locator(`main ${selector}`).first().click()
const pdf = { name: 'Limits.pdf', mimeType: 'application/pdf', buffer: onePagePdf }
const chooseFile = (page: Page) => page.locator('input[type=file]').setInputFiles(pdf)
async function openPassage(page: Page): Promise<void> {
  const link = page.getByRole('link', { name: /^Page \d+/ })
  // The link opens a new tab, so its address is opened here instead.
  await page.goto((await link.first().getAttribute('href')) ?? '')
  await page.locator('.textLayer .highlight').first().waitFor()
}
/** Creates screens that are named after their address. */
const named = (...names: string[]): Screen[] => names.map((name) => [name, `/${name}`])

/** The screens by the email address of their user; the first are for visitors. */
const screensOf: Record<string, Screen[]> = {
  '': [['welcome', '/'], ...named('login', 'register', 'forgot-password', 'rules', 'copyright', 'no-such-page')],
  [newUser.email]: [['new-home', '/']],
  [demoEmail]: [
    ['home', '/'],
    ...named('courses', 'my-notes', 'liked-notes', 'profile', 'settings', 'decisions', 'browse'),
    ['browse-results', `/browse?q=${word}`],
    ['browse-empty', `/browse?q=${word}+zyzzxq`],
    ['course', '/courses', open('a[href^="/courses/"]')],
    ['author', '/browse', open('a[href^="/people/"]')],
    ['upload', '/upload', chooseFile],
    ['edit', '/my-notes', press(/^Edit Note/)],
    ['reader', `/browse?q=${word}`, openPassage],
  ],
  [admin.email]: [
    ...named('moderation', 'admin'),
    ['decide', '/moderation', press(/^Correct/)],
    ['mail', '/dev/outbox'],
  ],
}

async function logIn(request: APIRequestContext, email: string): Promise<{ authorization: string }> {
  const answer = await request.post('/api/users/login', { data: { email, password: demoPassword } })
  return { authorization: `Bearer ${(await answer.json()).accessToken}` }
}

/** Adds a new user, an admin, and a report for the moderators. */
async function addAccounts({ db, passwords }: typeof server.deps, request: APIRequestContext): Promise<void> {
  const passwordHash = await passwords.hash(demoPassword)
  for (const user of [newUser, admin]) await inTransaction(db, (tx) => createUser(tx, { ...user, passwordHash }))
  await setRole(server.deps, admin.email, 'admin')
  const headers = await logIn(request, newUser.email)
  const { notes } = await (await request.get('/api/notes', { headers })).json()
  const data = { rule: 'exam', text: 'The exam is written again next week.' }
  const answer = await request.post(`/api/notes/${notes[0]._id}/reports`, { headers, data })
  if (!answer.ok()) throw new Error(`A report was answered ${answer.status()}: ${await answer.text()}`)
}

const dataDir = await makeDataFolder()
const env = { PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT: 'off', NODE_ENV: 'development' }
const server = await startServer(readConfig(env))
const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs })
try {
  await rm(folder, { recursive: true, force: true })
  await fillLibrary(server.deps)
  const waiting = server.deps.db.selectFrom('documents').select('id').limit(1)
  // Jobs extract the text and render the thumbnails.
  for (const state of ['text_state', 'thumbnail_state'] as const) {
    while (await waiting.where(state, '=', 'pending').executeTakeFirst()) await setTimeout(1_000)
  }
  const base = { baseURL: server.deps.config.publicUrl, reducedMotion: 'reduce' as const }
  await addAccounts(server.deps, (await browser.newContext(base)).request)
  const themes = ['light', 'dark'] as const
  for (const [width, theme] of [390, 768, 1440].flatMap((one) => themes.map((theme) => [one, theme] as const))) {
    for (const [email, screens] of Object.entries(screensOf)) {
      const context = await browser.newContext({ ...base, viewport: { width, height: 900 }, colorScheme: theme })
      if (email) await logIn(context.request, email)
      for (const [name, path, prepare] of screens.filter(([name]) => name.startsWith(only))) {
        const page = await context.newPage()
        await page.goto(path)
        if (!path.startsWith('/dev')) await page.locator('main h1, main h2').first().waitFor()
        await prepare?.(page)
        await page.waitForLoadState('networkidle')
        await page.screenshot({ path: `${folder}${name}-${width}-${theme}.png`, animations: 'disabled' })
        await page.close()
      }
      await context.close()
    }
  }
  if ('browse-results'.startsWith(only)) await copyFile(`${folder}browse-results-1440-light.png`, 'docs/results.png')
} finally {
  await browser.close()
  await server.stop()
  await removeDataFolder(dataDir)
}
