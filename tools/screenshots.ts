import { copyFile, mkdir, rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from '@playwright/test'
import { chromiumArgs, findChromium } from '../e2e/browser.ts'
import { readConfig } from '../server/config.ts'
import { startServer } from '../server/start.ts'
import { makeDataFolder, removeDataFolder } from '../server/test/data-folder.ts'
import { createUser } from '../server/users/users.ts'
import { demoEmail, demoPassword, fillLibrary } from './demo/fill-library.ts'
import { mails } from './screenshots/mails.ts'
import { addMatters, moderatorEmail, suspendedEmail } from './screenshots/matters.ts'
import {
  moderatorScreens,
  newStudentScreens,
  type Screen,
  studentScreens,
  suspendedScreens,
  visitorScreens,
} from './screenshots/screens.ts'

/**
 * `npm run screenshots`: every screen and every mail in both themes at four widths, in forced colours and as at 400 %,
 * from the demo library, into `screenshots/`; and the picture of the README. `--only browse` takes the screens
 * whose name begins so, `--look 390` the looks.
 */
const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))
const docs = fileURLToPath(new URL('../docs/', import.meta.url))
/** The file in docs/ by the name of its screen. */
const readmePictures = { 'browse-results': 'results.png' }

const given = (option: string) =>
  process.argv.includes(option) ? (process.argv[process.argv.indexOf(option) + 1] ?? '') : ''
const [onlyScreen, onlyLook] = [given('--only'), given('--look')]

type Look = BrowserContextOptions & { name: string }

const looks: Look[] = [
  ...[360, 390, 768, 1440].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme): Look => {
      const isPhone = width < 600
      const viewport = { width, height: isPhone ? 844 : 900 }
      return { name: `${width}-${colorScheme}`, viewport, colorScheme, hasTouch: isPhone }
    }),
  ),
  { name: 'forced', viewport: { width: 1440, height: 900 }, forcedColors: 'active' as const },
  // 1280 × 1024 at 400 %.
  { name: 'zoomed', viewport: { width: 320, height: 256 } },
].filter(({ name }) => name.startsWith(onlyLook))

const newStudent = { name: 'Mia Berg', email: 'mia.berg@uni.example' }

/** Still, settled and with its fonts: what a person sees a moment after the page came. */
async function takePicture(page: Page, screen: Screen, path: string): Promise<void> {
  await screen.begin?.(page)
  await page.goto(screen.path)
  await page.locator('main').first().waitFor()
  if (screen.begin === undefined) await page.locator('main h1, main h2').first().waitFor()
  await screen.prepare?.(page)
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(250)
  await page.screenshot({ path, animations: 'disabled' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

async function openContext(browser: Browser, baseURL: string, look: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL, reducedMotion: 'reduce', ...look })
  context.setDefaultTimeout(15_000)
  return context
}

async function takeAll(context: BrowserContext, screens: Screen[], look: string): Promise<void> {
  for (const screen of screens.filter(({ name }) => name.startsWith(onlyScreen))) {
    const page = await context.newPage()
    await takePicture(page, screen, `${folder}${screen.name}-${look}.png`).catch((error: Error) => {
      process.stderr.write(`${screen.name}, ${look}: ${error.message}\n`)
      process.exitCode = 1
    })
    await page.close()
  }
}

async function takeMails(context: BrowserContext, look: string): Promise<void> {
  for (const [name, { html }] of Object.entries(mails).filter(([name]) => name.startsWith(onlyScreen))) {
    const page = await context.newPage()
    await page.setContent(html)
    await page.screenshot({ path: `${folder}${name}-${look}.png`, fullPage: true })
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

async function addNewStudent({ db, passwords }: typeof server.deps): Promise<void> {
  const passwordHash = await passwords.hash(demoPassword)
  await db.transaction().execute((tx) => createUser(tx, { ...newStudent, passwordHash }))
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
  await addNewStudent(server.deps)
  await addMatters(server.deps)
  await waitForJobs(server.deps)
  for (const { name, ...look } of looks) {
    const context = await openContext(browser, publicUrl, look)
    const logIn = (email: string) =>
      context.request.post('/api/users/login', { data: { email, password: demoPassword } })
    await takeMails(context, name)
    await takeAll(context, visitorScreens, name)
    await logIn(newStudent.email)
    await takeAll(context, newStudentScreens, name)
    await context.clearCookies()
    await logIn(demoEmail)
    await takeAll(context, studentScreens, name)
    await context.clearCookies()
    await logIn(moderatorEmail)
    await takeAll(context, moderatorScreens, name)
    await context.clearCookies()
    await logIn(suspendedEmail)
    await takeAll(context, suspendedScreens, name)
    await context.close()
    process.stdout.write(`${name}: done\n`)
  }
  if (onlyLook === '') {
    for (const [screen, picture] of Object.entries(readmePictures)) {
      if (screen.startsWith(onlyScreen)) await copyFile(`${folder}${screen}-1440-light.png`, `${docs}${picture}`)
    }
  }
} finally {
  await browser.close()
  await server.stop()
  await removeDataFolder(dataDir)
}
