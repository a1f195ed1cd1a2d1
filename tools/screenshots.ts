import { copyFile, mkdir, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { chromiumArgs, findChromium } from '../e2e/browser.ts'
import { readConfig } from '../server/config.ts'
import { startServer } from '../server/start.ts'
import { makeDataFolder, removeDataFolder } from '../server/test/data-folder.ts'
import { onePagePdf } from '../server/test/pdf.ts'
import { demoEmail, demoPassword, fillLibrary } from './demo/fill-library.ts'

/**
 * `npm run screenshots`: every screen in both themes at three widths, from the demo library, into `screenshots/`; and
 * the pictures the README opens with. `--only browse` takes the screens whose name begins so.
 */
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))
const docs = fileURLToPath(new URL('../docs/', import.meta.url))
/** What the README opens with, by the name of the screen. */
const readmePictures = { 'browse-results': 'results.png', reader: 'reader.png' }
const only = process.argv.includes('--only') ? (process.argv[process.argv.indexOf('--only') + 1] ?? '') : ''
const widths = [390, 768, 1440]
const schemes = ['light', 'dark'] as const

type Screen = {
  name: string
  path: string
  /** What to do before the picture is taken. */
  prepare?: (page: Page) => Promise<void>
}

const visitorScreens: Screen[] = [
  { name: 'welcome', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'login-for-a-note', path: '/notes/4f2c3c1e-7a53-4c59-9a4b-52d5c8a3c2f1' },
  {
    name: 'login-refused',
    path: '/login',
    async prepare(page) {
      await page.getByLabel('Email').fill('nobody@uni.example')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
      await page.getByText('Invalid email or password').first().waitFor()
    },
  },
  { name: 'register', path: '/register' },
  {
    name: 'register-refused',
    path: '/register',
    prepare: (page) => page.getByRole('main').getByRole('button', { name: 'Register' }).click(),
  },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'reset-password', path: '/reset-password?token=example' },
  { name: 'verify', path: '/verify?token=example' },
  { name: 'verify-success', path: '/verify/success' },
  { name: 'verify-expired', path: '/verify/expired' },
  { name: 'verify-invalid', path: '/verify/invalid' },
  { name: 'verify-internal-error', path: '/verify/internal-error' },
  { name: 'unsubscribe', path: '/unsubscribe?token=example' },
  { name: 'not-me', path: '/not-me?token=example' },
  { name: 'confirm-email', path: '/confirm-email?token=example' },
  { name: 'not-found', path: '/no-such-page' },
]

const fail = (page: Page, glob: string) =>
  page.route(glob, (route) =>
    route.fulfill({ status: 500, json: { message: 'An error occurred', code: 'unexpected' } }),
  )

/** The reader, at the page where a search found something. */
async function openFirstPassage(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /^Page \d+/ })
    .first()
    .click()
  await page.locator('.textLayer .highlight').first().waitFor()
}

const studentScreens: Screen[] = [
  { name: 'home', path: '/' },
  { name: 'browse', path: '/browse' },
  { name: 'browse-search', path: '/browse?courseCode=mat&sortBy=likes' },
  { name: 'browse-empty', path: '/browse?title=nobody+wrote+this&courseCode=zzz' },
  { name: 'browse-results', path: '/browse?q=vector' },
  { name: 'browse-results-empty', path: '/browse?q=vector+zyzzxq' },
  {
    name: 'browse-suggestions',
    path: '/browse',
    async prepare(page) {
      await page.getByLabel('Search inside the notes').fill('ma')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'browse-loading',
    path: '/browse',
    async prepare(page) {
      await page.route('**/api/notes?*', () => {})
      const fold = page.getByRole('button', { name: /^Filters/ })
      if (await fold.isVisible()) await fold.click()
      await page.getByLabel('Title').fill('lecture')
      await page.keyboard.press('Enter')
      await page.waitForTimeout(600)
    },
  },
  {
    name: 'browse-failed',
    path: '/browse',
    async prepare(page) {
      await fail(page, '**/api/notes?*')
      await page.goto('/browse?title=graphs')
      await page.getByText('There was an error fetching your notes.').first().waitFor()
    },
  },
  { name: 'my-notes', path: '/my-notes' },
  {
    name: 'my-notes-edit',
    path: '/my-notes',
    prepare: (page) => page.getByRole('button', { name: 'Edit Note' }).first().click(),
  },
  {
    name: 'my-notes-delete',
    path: '/my-notes',
    prepare: (page) => page.getByRole('button', { name: 'Delete Note' }).first().click(),
  },
  { name: 'courses', path: '/courses' },
  { name: 'courses-found', path: '/courses?q=al' },
  { name: 'course', path: '/courses/csc148' },
  { name: 'course-unknown', path: '/courses/zzz999' },
  { name: 'liked-notes', path: '/liked-notes' },
  { name: 'upload', path: '/upload' },
  {
    name: 'upload-chosen',
    path: '/upload',
    async prepare(page) {
      await page.getByLabel('Course Code').fill('mat137')
      const names = ['Week 1 - limits.pdf', 'Week 2 - derivatives.pdf']
      const files = names.map((name) => ({ name, mimeType: 'application/pdf', buffer: onePagePdf }))
      await page.locator('input[type=file]').setInputFiles(files)
    },
  },
  { name: 'reader', path: '/browse?q=vector', prepare: openFirstPassage },
  {
    name: 'reader-contents',
    path: '/browse?q=vector',
    async prepare(page) {
      await openFirstPassage(page)
      await page.getByRole('button', { name: 'Pages, contents and details' }).click()
    },
  },
  {
    name: 'reader-share',
    path: '/browse?q=vector',
    async prepare(page) {
      await openFirstPassage(page)
      await page.getByRole('button', { name: 'Share', exact: true }).click()
    },
  },
  {
    name: 'author',
    path: '/browse',
    async prepare(page) {
      await page.locator('a[href^="/people/"]').first().click()
      await page.getByText('shared by name').waitFor()
    },
  },
  { name: 'profile', path: '/profile' },
  { name: 'settings', path: '/settings' },
  {
    name: 'settings-leaving',
    path: '/settings',
    prepare: (page) => page.getByRole('button', { name: 'Delete my account' }).click(),
  },
  // Last: how lists are looked at is remembered.
  {
    name: 'my-notes-list',
    path: '/my-notes',
    prepare: (page) => page.getByRole('button', { name: 'Show as a list' }).click(),
  },
]

/** Still, settled and with its fonts: what a person sees a moment after the page came. */
async function takePicture(page: Page, screen: Screen, path: string): Promise<void> {
  await page.goto(screen.path)
  await page.locator('main h1, main h2').first().waitFor()
  await screen.prepare?.(page)
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(250)
  await page.screenshot({ path, animations: 'disabled' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

async function openContext(browser: Browser, baseURL: string, width: number, colorScheme: 'light' | 'dark') {
  const viewport = { width, height: width < 600 ? 844 : 900 }
  const context = await browser.newContext({
    baseURL,
    viewport,
    colorScheme,
    reducedMotion: 'reduce',
    hasTouch: width < 600,
  })
  context.setDefaultTimeout(15_000)
  return context
}

async function takeAll(context: BrowserContext, screens: Screen[], suffix: string): Promise<void> {
  for (const screen of screens.filter(({ name }) => name.startsWith(only))) {
    const page = await context.newPage()
    await takePicture(page, screen, `${folder}${screen.name}-${suffix}.png`)
    await page.close()
  }
}

/** The pictures and the text of all notes are made by jobs. */
async function waitForJobs({ db }: typeof server.deps): Promise<void> {
  const findWaiting = () =>
    db
      .selectFrom('documents')
      .select('id')
      .where((row) => row.or([row('text_state', '=', 'waiting'), row('picture_state', '=', 'waiting')]))
      .limit(1)
      .executeTakeFirst()
  while (await findWaiting()) await pause(1_000)
}

const dataDir = await makeDataFolder()
const server = await startServer(
  readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', RATE_LIMIT: 'off', NODE_ENV: 'development' }),
)
const { publicUrl } = server.deps.config
const browser = await chromium.launch({ executablePath: await findChromium(), args: chromiumArgs })
try {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  await fillLibrary(server.deps)
  await waitForJobs(server.deps)
  for (const colorScheme of schemes) {
    for (const width of widths) {
      const context = await openContext(browser, publicUrl, width, colorScheme)
      await takeAll(context, visitorScreens, `${width}-${colorScheme}`)
      await context.request.post('/api/users/login', { data: { email: demoEmail, password: demoPassword } })
      await takeAll(context, studentScreens, `${width}-${colorScheme}`)
      await context.close()
      process.stdout.write(`${width} px, ${colorScheme}: done\n`)
    }
  }
  for (const [screen, picture] of Object.entries(readmePictures)) {
    if (screen.startsWith(only)) await copyFile(`${folder}${screen}-1440-light.png`, `${docs}${picture}`)
  }
} finally {
  await browser.close()
  await server.stop()
  await removeDataFolder(dataDir)
}
