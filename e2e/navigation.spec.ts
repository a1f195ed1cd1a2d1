import { expect, type Locator, type Page } from '@playwright/test'
import { clickForToast, clickTo, open } from './actions.ts'
import { emailInput, logIn, passwordInput, submitButton } from './forms.ts'
import { cards, loadMore } from './note-lists.ts'
import { ask, rate, shareNote, shareNotes, uploadMany } from './notes.ts'
import { button, heading, main, navLink, toast, toasts } from './page.ts'
import { holdRequests } from './requests.ts'
import { ownServerTest, test } from './test.ts'

const banner = (page: Page) => page.getByRole('banner')
const logo = (page: Page) => banner(page).getByRole('link', { name: 'Lectern, home' })
const logout = (page: Page) => page.getByRole('button', { name: 'Logout' })

/** Expects that only the link of the current page is marked, visibly and for assistive technology. */
async function expectCurrent(page: Page, name: string) {
  await expect(navLink(page, name)).toHaveAttribute('aria-current', 'page')
  await expect(banner(page).locator('[aria-current]')).toHaveText([new RegExp(name)])
  const faint = await navLink(page, name).evaluate((link) => getComputedStyle(link).fontWeight)
  expect(Number(faint)).toBeGreaterThanOrEqual(600)
}

/** Follows each link of the navigation bar, and expects its page with this title, and the focus on its heading. */
async function visitAll(page: Page, places: { name: string; path: string; title: string; text?: string }[]) {
  await expect(page.getByRole('navigation').getByRole('link')).toHaveText(places.map(({ name }) => name))
  for (const { name, path, title, text = title } of places) {
    await navLink(page, name).click()
    await expect(page).toHaveURL(path)
    await expect(heading(page, text)).toBeFocused()
    await expect(page).toHaveTitle(`${title} · Lectern`)
    await expectCurrent(page, name)
  }
}

test('a visitor sees Login and Register, the active one marked @phone', async ({ page }) => {
  await open(page, '/', /Study notes/)
  await expect(page).toHaveTitle('Study notes, shared · Lectern')
  await expect(banner(page).locator('[aria-current]')).toHaveCount(0)
  await expect(logout(page)).toHaveCount(0)

  await visitAll(page, [
    { name: 'Login', path: '/login', title: 'Login', text: 'Login to Lectern' },
    { name: 'Register', path: '/register', title: 'Register' },
  ])
  await logo(page).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(heading(page, /Study notes/)).toBeFocused()
  // Visitors do not see notes.
  await expect(page.getByRole('article')).toHaveCount(0)
})

test('a signed-in student sees Browse, Liked, My Notes, Upload and Logout @phone', async ({ page, mia }) => {
  await open(page, '/', 'Welcome, Mia!')
  await expect(navLink(page, 'Login')).toHaveCount(0)
  await expect(logout(page)).toBeEnabled()
  await visitAll(page, [
    { name: 'Browse', path: '/browse', title: 'Browse Notes' },
    { name: 'Courses', path: '/courses', title: 'Courses' },
    { name: 'Liked', path: '/liked-notes', title: 'Liked Notes' },
    { name: 'My Notes', path: '/my-notes', title: 'My Notes' },
    { name: 'Upload', path: '/upload', title: 'Upload Notes' },
  ])
  await banner(page).getByRole('link', { name: 'Mia Lund' }).click()
  await expect(page).toHaveURL('/profile')
  await expect(heading(page, 'Mia Lund')).toBeFocused()
  await expect(banner(page).getByRole('link', { name: 'Mia Lund' })).toHaveAttribute('aria-current', 'page')

  // Everything in the bar is at least 44 px wide and high.
  const targets = [...(await banner(page).getByRole('link').all()), ...(await banner(page).getByRole('button').all())]
  expect(targets.length).toBeGreaterThanOrEqual(8)
  for (const target of targets) {
    const box = await target.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  }

  await logo(page).click()
  await expect(heading(page, 'Welcome, Mia!')).toBeFocused()
})

test('while a request is loading, the navigation does not react and Logout is disabled', async ({ page, mia }) => {
  await open(page, '/upload', 'Upload Notes')

  // While a page is loading.
  const list = await holdRequests(page, /\/api\/notes(\?|$)/)
  await navLink(page, 'Browse').click()
  await expect(logout(page)).toBeDisabled()
  await expect(main(page)).toHaveAttribute('aria-busy', 'true')
  for (const link of [navLink(page, 'Liked'), navLink(page, 'My Notes'), logo(page)]) {
    await expect(link).toHaveAttribute('aria-disabled', 'true')
    await link.click({ force: true })
    await link.press('Enter')
  }
  await expect(page).toHaveURL('/upload')
  await expect(heading(page, 'Upload Notes')).toBeVisible()
  list.release()
  await expect(heading(page, 'Browse Notes')).toBeVisible()
  await expect(page).toHaveURL('/browse')
  await expect(logout(page)).toBeEnabled()
  await expect(navLink(page, 'Liked')).not.toHaveAttribute('aria-disabled')

  const ending = await holdRequests(page, /\/api\/users\/logout$/)
  await logout(page).click()
  await expect(logout(page)).toBeDisabled()
  await navLink(page, 'Liked').click({ force: true })
  await expect(page).toHaveURL('/browse')
  ending.release()
  await expect(toast(page, 'Logout successful!')).toBeVisible()
  await expect(page).toHaveURL('/login')
  expect(ending.requests).toHaveLength(1)

  await page.goto('/forgot-password')
  const mailing = await holdRequests(page, /\/api\/users\/forgot-password$/)
  await emailInput(page).fill('nobody@uni.example')
  await submitButton(page, 'Send Reset Link').click()
  await expect(navLink(page, 'Login')).toHaveAttribute('aria-disabled', 'true')
  await navLink(page, 'Login').click({ force: true })
  await expect(page).toHaveURL('/forgot-password')
  mailing.release()
  await expect(page).toHaveURL('/login')
})

test('going back restores the scroll position and the focused link', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 420 })
  await page.goto('/')
  // The built document has no footer, and its links load the next page as a document.
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 240))
  await navLink(page, 'Register').click()
  await expect(heading(page, 'Register')).toBeFocused()
  expect(await page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await expect(heading(page, /Study notes/)).toBeVisible()
  await expect(banner(page).locator('a[href="/register"]')).toBeFocused()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(240)
})

test('every unknown path shows the 404 page with the navigation bar @smoke', async ({ page }) => {
  for (const path of ['/nowhere', '/browse/nowhere', '/verify/nowhere', '/login/nowhere']) {
    await open(page, path, '404 Page Not Found')
    await expect(navLink(page, 'Login')).toBeVisible()
  }
})

test('a chosen theme applies without a flash, in every tab', async ({ page, context }) => {
  const paper = (of: Page) =>
    of.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d')
      if (canvas === null) throw new Error('no canvas')
      canvas.fillStyle = getComputedStyle(document.body).backgroundColor
      canvas.fillRect(0, 0, 1, 1)
      return canvas
        .getImageData(0, 0, 1, 1)
        .data.slice(0, 3)
        .every((channel) => channel > 128)
        ? 'light'
        : 'dark'
    })
  const choose = async (from: string, to: string) => {
    await button(banner(page), `Theme: ${from}`).click()
    await page.getByRole('group', { name: 'Theme' }).getByText(to).click()
    await page.keyboard.press('Escape')
  }
  const chosenAtFirst = () => page.evaluate(() => Reflect.get(window, 'chosenAtFirst'))
  // Records the theme of the root element as soon as the body exists.
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.body === null) return
      observer.disconnect()
      Reflect.set(window, 'chosenAtFirst', document.documentElement.dataset.theme ?? 'none')
    })
    observer.observe(document, { childList: true, subtree: true })
  })

  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page, '/login', 'Login to Lectern')
  expect([await paper(page), await chosenAtFirst()]).toEqual(['dark', 'none'])
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await paper(page)).toBe('light')

  const other = await context.newPage()
  await open(other, '/register', 'Register')
  await choose('System', 'Dark')
  expect(await paper(page)).toBe('dark')
  await expect.poll(() => paper(other)).toBe('dark')
  await other.close()

  // The next visit is dark before any script of the app has run.
  // This holds all scripts except the one in the page.
  const scripts = await holdRequests(page, /\/assets\/.*\.js$/)
  await page.reload({ waitUntil: 'commit' })
  await expect(banner(page)).toBeVisible()
  expect([await paper(page), await chosenAtFirst()]).toEqual(['dark', 'dark'])
  await expect(heading(page, 'Login to Lectern')).toHaveCount(0)
  scripts.release()
  await expect(heading(page, 'Login to Lectern')).toBeVisible()
  expect(await paper(page)).toBe('dark')

  await choose('Dark', 'System')
  expect(await paper(page)).toBe('light')
  await page.reload()
  await expect(banner(page).getByRole('button', { name: 'Theme: System' })).toBeVisible()
  expect(await chosenAtFirst()).toBe('none')
})

test('visitors read the landing page before any script has run @phone', async ({ page, createStudent, signIn }) => {
  const welcome = heading(page, 'Study notes, shared.')

  const scripts = await holdRequests(page, /\/assets\/.*\.js$/)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(welcome).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')
  // On a machine without the fallback fonts, the lines above break differently once the fonts are there.
  await page.evaluate(() => document.fonts.ready)
  await page.evaluate(() => window.scrollTo(0, 100))
  const before = await welcome.boundingBox()
  await page.evaluate(() => {
    const places: number[] = []
    Reflect.set(window, 'places', places)
    window.addEventListener('scroll', () => places.push(window.scrollY))
  })
  scripts.release()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  // Nothing moves, although the user has scrolled meanwhile.
  expect(await welcome.boundingBox()).toEqual(before)
  const places: number[] = await page.evaluate(() => Reflect.get(window, 'places'))
  expect(places.filter((place) => place !== 100)).toEqual([])

  const usersScript = /\/assets\/notes-/
  const loaded: string[] = []
  page.on('request', (request) => void loaded.push(request.url()))
  // The pages for visitors load no script of the pages for users.
  for (const path of ['/', '/login', '/register', '/rules']) await page.goto(path, { waitUntil: 'networkidle' })
  expect(loaded.filter((url) => usersScript.test(url))).toEqual([])

  const student = await signIn(await createStudent())
  await open(page, '/browse', 'Browse Notes')
  expect(loaded.filter((url) => usersScript.test(url))).not.toEqual([])
  const scriptsAgain = await holdRequests(page, /\/assets\/.*\.js$/)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(banner(page)).toBeVisible()
  await expect(welcome).toBeHidden()
  await expect(banner(page).getByRole('link', { name: 'Register' })).toBeHidden()
  scriptsAgain.release()
  await expect(heading(page, new RegExp(student.name.split(' ')[0] ?? ''))).toBeVisible()
})

/** The router restores the position once the page is high enough. */
const expectScrollPlace = (page: Page, y: number) =>
  expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(y)

/** Waits for the position, because the router saves it when the page is left. */
async function scrollTo(page: Page, y: number) {
  await page.evaluate((top) => window.scrollTo(0, top), y)
  await expectScrollPlace(page, y)
}

test('a reload and Back restore the notes and the place @phone', async ({ page, context, mia, courseCode }) => {
  await uploadMany(mia, 50, courseCode)
  await page.goto(`/browse?courseCode=${courseCode}`)
  await expect(cards(page)).toHaveCount(24)
  await loadMore(page).click()
  await expect(cards(page)).toHaveCount(48)
  await scrollTo(page, 3000)

  await page.reload()
  await expect(cards(page)).toHaveCount(48)
  await expectScrollPlace(page, 3000)
  await loadMore(page).click()
  await expect(cards(page)).toHaveCount(50)
  await expect(loadMore(page)).toHaveCount(0)

  // Typing the same address is a new visit, which begins at the top; Back restores the place.
  await page.goto(`/browse?courseCode=${courseCode}&sortBy=likes`)
  await expect(cards(page)).toHaveCount(24)
  await scrollTo(page, 600)
  await page.goto(`/browse?courseCode=${courseCode}`)
  await expect(cards(page)).toHaveCount(24)
  await expectScrollPlace(page, 0)
  await page.goBack()
  await expect(cards(page)).toHaveCount(24)
  await expectScrollPlace(page, 600)

  // How far a list was loaded does not affect another user’s list.
  await loadMore(page).click()
  await expect(cards(page)).toHaveCount(48)
  expect((await context.request.post('/api/users/logout')).status()).toBe(204)
  await page.reload()
  await expect(page).toHaveURL(/^[^?]*\/login/)
  // The links in the bar do not react while a page is loading.
  await page.getByRole('link', { name: 'Lectern' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: /Study notes/ })).toBeVisible()
  await page.getByRole('link', { name: 'Login', exact: true }).first().click()
  await logIn(page, mia, 'Welcome, Mia!')
  await clickTo(page.getByRole('link', { name: 'My Notes', exact: true }).first(), 'My Notes')
  await expect(cards(page)).toHaveCount(24)
})

test('a click on the link of the displayed page shows what is new', async ({ page, mia, courseCode }) => {
  await page.clock.install()
  await open(page, '/my-notes', 'My Notes')
  await expect(cards(page)).toHaveCount(0)
  await shareNote(mia, 'Heaps', { courseCode })
  await page.clock.fastForward(31_000)
  await navLink(page, 'My Notes').click()
  await expect(cards(page)).toHaveCount(1)
})

test('a toast is top right, is announced, is reached with Alt+T and closes after 5 seconds', async ({ page }) => {
  await page.clock.install({ time: '2026-11-21T09:00:00Z' })
  await page.goto('/login')
  await expect(emailInput(page)).toBeVisible()
  await page.clock.pauseAt('2026-11-21T10:00:00Z')
  const message = toast(page, 'Please fill in all fields')
  /** Advances the fake clock until the toast is visible, because toasts also move by timers. */
  const press = async () => {
    await submitButton(page, 'Login').click()
    await expect
      .poll(async () => {
        await page.clock.runFor(20)
        return message.isVisible()
      })
      .toBe(true)
  }

  await press()
  await expect(toasts(page)).toHaveAttribute('aria-live', 'polite')
  const box = await toasts(page).getByRole('listitem').boundingBox()
  const { width } = page.viewportSize() ?? { width: 0 }
  expect(box?.x).toBeGreaterThan(width / 2)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(width - 40)
  expect(box?.y).toBeLessThan(120)
  await page.clock.runFor(4_000)
  await expect(message).toBeVisible()
  await page.clock.runFor(1_500)
  await expect(message).toHaveCount(0)

  await press()
  await passwordInput(page).focus()
  await page.keyboard.press('Alt+t')
  await expect(toasts(page).getByRole('list')).toBeFocused()
  // A focused toast does not disappear.
  await page.clock.runFor(20_000)
  await expect(message).toBeVisible()
  const outline = (of: Locator) => of.evaluate((element) => getComputedStyle(element).outlineStyle)
  for (const part of [toasts(page).getByRole('listitem'), toasts(page).getByRole('button', { name: /close/i })]) {
    await page.keyboard.press('Tab')
    await expect(part).toBeFocused()
    expect(await outline(part)).toBe('solid')
  }
  await page.keyboard.press('Enter')
  await page.clock.runFor(1_000)
  await expect(message).toHaveCount(0)
  await expect(main(page)).toBeVisible()
})

/** Returns the vertical distance between the bottom of one box and the top of another. */
const gapBetween = async (upper: Locator, lower: Locator) => {
  const [above, below] = [await upper.boundingBox(), await lower.boundingBox()]
  return (below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0))
}

test('on a phone a toast covers neither heading nor notice, and fits', async ({ page, createStudent }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { email } = await createStudent()
  const shown = toasts(page).getByRole('listitem')
  const title = heading(page, 'Login to Lectern')

  await page.goto('/forgot-password')
  await clickForToast(submitButton(page, 'Send Reset Link'), 'Please enter your email.')
  await emailInput(page).fill(email)
  await clickForToast(submitButton(page, 'Send Reset Link'), 'If this email is registered, a reset link has been sent.')
  // The earlier error toast is removed and not visible behind this one.
  await expect(shown).toHaveCount(1)
  await shown.hover()
  await expect.poll(() => gapBetween(shown, title)).toBeGreaterThanOrEqual(0)
  expect(await gapBetween(shown, main(page).getByRole('status'))).toBeGreaterThan(0)
  const box = await toasts(page).getByRole('list').boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

/** The headings for an address without a page. */
const nothing = ['404 Page Not Found', 'Course not found', 'Author not found', 'This page didn’t load']

/** Replaces ids and query values, because addresses of the same shape are followed only once. */
function shapeOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://x')
  const path = pathname.replace(/[0-9a-f-]{36}/, ':id').replace(/^\/courses\/.+/, '/courses/:code')
  return `${path}?${[...searchParams.keys()].sort()}`
}

/**
 * Follows every link from the front page.
 * @returns the shapes of all opened addresses.
 */
async function followLinks(page: Page): Promise<string[]> {
  const opened = new Map<string, string>()
  const waiting = ['/']
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (opened.has(shapeOf(address))) continue
    opened.set(shapeOf(address), address)
    await page.goto(address)
    await expect(page.locator('h1').first()).toBeAttached()
    await expect(page.locator('main[aria-busy=true]')).toHaveCount(0)
    for (const text of nothing) await expect(page.getByRole('heading', { name: text }), address).toHaveCount(0)
    const links = await page.locator('a[href]').evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
    for (const link of links) expect(link, `a link on ${address}`).toMatch(/^(\/|\?|#|mailto:)/)
    waiting.push(...links.filter((link) => link.startsWith('/')))
  }
  return [...opened.keys()].sort()
}

ownServerTest('no link leads nowhere', async ({ page, ben, signIn, courseCode }) => {
  const forVisitors = '/ /anonymity /copyright /decisions /forgot-password /login /my-notes /register /rules'.split(' ')
  const withNext = ['/forgot-password?next', '/login?next', '/register?next']
  expect(await followLinks(page)).toEqual([...forVisitors.map((path) => `${path}?`), ...withNext].sort())

  // For a student, where there are notes of all kinds.
  const mia = await signIn({ name: 'Mia Lund' })
  const notes = await shareNotes(ben, ['Limits', 'Heaps', 'Graphs'], { courseCode, instructor: 'Dr. Osei' })
  await shareNote(mia, 'Own', { courseCode })
  await rate(mia, notes[0]?._id ?? '', { likes: '+' })
  await ask(mia, 'PATCH', '/api/users/me', { recentlyViewedNotes: [notes[1]?._id] })
  await ask(mia, 'POST', `/api/courses/${courseCode}/follow`)
  const opened = await followLinks(page)
  const ofNotes = ['/notes/:id', '/people/:id', '/courses/:code', '/courses']
  const others = '/browse /copyright /decisions /liked-notes /my-notes /profile /rules /upload'.split(' ')
  for (const path of [...ofNotes, ...others]) expect(opened).toContain(`${path}?`)
})
