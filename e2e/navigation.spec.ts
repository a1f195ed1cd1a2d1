import { expect, type Locator, type Page } from '@playwright/test'
import { emailInput, main, passwordInput, submitButton } from './forms.ts'
import { holdRequests } from './hold-requests.ts'
import { navLink } from './note-lists.ts'
import { test } from './test.ts'
import { toast } from './toasts.ts'

const banner = (page: Page) => page.getByRole('banner')
const logo = (page: Page) => banner(page).getByRole('link', { name: 'Lectern, home' })
const logout = (page: Page) => page.getByRole('button', { name: 'Logout' })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** Expects that only the link of the current page is marked, visibly and for assistive technology. */
async function expectCurrent(page: Page, name: string) {
  await expect(navLink(page, name)).toHaveAttribute('aria-current', 'page')
  await expect(banner(page).locator('[aria-current]')).toHaveText([new RegExp(name)])
  const faint = await navLink(page, name).evaluate((link) => getComputedStyle(link).fontWeight)
  expect(Number(faint)).toBeGreaterThanOrEqual(600)
}

/** Presses a key until the target has the focus. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let presses = 0; presses < 20; presses++) {
    await page.keyboard.press(key)
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  await expect(target, 'cannot be reached with the keyboard').toBeFocused()
}

test('a visitor sees Login and Register, the active one marked @phone', async ({ page }) => {
  await page.goto('/')
  await expect(heading(page, /Study notes/)).toBeVisible()
  await expect(page).toHaveTitle('Study notes, shared · Lectern')
  await expect(page.getByRole('navigation').getByRole('link')).toHaveText(['Login', 'Register'])
  await expect(banner(page).locator('[aria-current]')).toHaveCount(0)
  await expect(logout(page)).toHaveCount(0)

  await navLink(page, 'Login').click()
  await expect(page).toHaveURL('/login')
  await expect(heading(page, 'Login to Lectern')).toBeFocused()
  await expectCurrent(page, 'Login')
  await navLink(page, 'Register').click()
  await expect(page).toHaveURL('/register')
  await expect(heading(page, 'Register')).toBeFocused()
  await expectCurrent(page, 'Register')
  await logo(page).click()
  await expect(page).toHaveURL(/:\d+\/$/)
  await expect(heading(page, /Study notes/)).toBeFocused()
  // Visitors do not see notes.
  await expect(page.getByRole('article')).toHaveCount(0)
})

test('a signed-in student sees Browse, Liked, My Notes, Upload and Logout @phone', async ({ page, mia }) => {
  await page.goto('/')
  await expect(heading(page, 'Welcome, Mia!')).toBeVisible()
  await expect(page.getByRole('navigation').getByRole('link')).toHaveText([
    'Browse',
    'Courses',
    'Liked',
    'My Notes',
    'Upload',
  ])
  await expect(navLink(page, 'Login')).toHaveCount(0)
  await expect(logout(page)).toBeEnabled()

  const places = [
    { name: 'Browse', path: '/browse', title: 'Browse Notes' },
    { name: 'Courses', path: '/courses', title: 'Courses' },
    { name: 'Liked', path: '/liked-notes', title: 'Liked Notes' },
    { name: 'My Notes', path: '/my-notes', title: 'My Notes' },
    { name: 'Upload', path: '/upload', title: 'Upload Notes' },
  ]
  for (const { name, path, title } of places) {
    await navLink(page, name).click()
    await expect(page).toHaveURL(path)
    await expect(heading(page, title)).toBeFocused()
    await expect(page).toHaveTitle(`${title} · Lectern`)
    await expectCurrent(page, name)
  }
  await banner(page).getByRole('link', { name: 'Mia Lund' }).click()
  await expect(page).toHaveURL('/profile')
  await expect(heading(page, 'Mia Lund')).toBeFocused()
  await expect(banner(page).getByRole('link', { name: 'Mia Lund' })).toHaveAttribute('aria-current', 'page')

  await test.step('everything in the bar is at least 44 px wide and high', async () => {
    const targets = [...(await banner(page).getByRole('link').all()), ...(await banner(page).getByRole('button').all())]
    expect(targets.length).toBeGreaterThanOrEqual(8)
    for (const target of targets) {
      const box = await target.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
  })

  await logo(page).click()
  await expect(heading(page, 'Welcome, Mia!')).toBeFocused()
})

test('while a request is loading, the navigation does not react and Logout is disabled', async ({ page, mia }) => {
  await page.goto('/upload')
  await expect(heading(page, 'Upload Notes')).toBeVisible()

  await test.step('a page on its way', async () => {
    const held = await holdRequests(page, /\/api\/notes(\?|$)/)
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
    held.release()
    await expect(heading(page, 'Browse Notes')).toBeVisible()
    await expect(page).toHaveURL('/browse')
    await expect(logout(page)).toBeEnabled()
    await expect(navLink(page, 'Liked')).not.toHaveAttribute('aria-disabled')
  })

  await test.step('the logout', async () => {
    const held = await holdRequests(page, /\/api\/users\/logout$/)
    await logout(page).click()
    await expect(logout(page)).toBeDisabled()
    await navLink(page, 'Liked').click({ force: true })
    await expect(page).toHaveURL('/browse')
    held.release()
    await expect(toast(page, 'Logout successful!')).toBeVisible()
    await expect(page).toHaveURL('/login')
    expect(held.requests).toHaveLength(1)
  })

  await test.step('the login', async () => {
    const held = await holdRequests(page, /\/api\/users\/login$/)
    await emailInput(page).fill('nobody@uni.example')
    await passwordInput(page).fill('Marigold desk 42!')
    await submitButton(page, 'Login').click()
    await expect(navLink(page, 'Register')).toHaveAttribute('aria-disabled', 'true')
    await navLink(page, 'Register').click({ force: true })
    held.release()
    await expect(toast(page, 'Invalid email or password')).toBeVisible()
    await expect(page).toHaveURL('/login')
    await navLink(page, 'Register').click()
    await expect(page).toHaveURL('/register')
  })

  await test.step('a form without a session', async () => {
    await page.goto('/forgot-password')
    const held = await holdRequests(page, /\/api\/users\/forgot-password$/)
    await emailInput(page).fill('nobody@uni.example')
    await submitButton(page, 'Send Reset Link').click()
    await expect(navLink(page, 'Login')).toHaveAttribute('aria-disabled', 'true')
    held.release()
    await expect(page).toHaveURL('/login')
  })
})

test('the whole bar works with the keyboard, and the focus is seen', async ({ page, mia }) => {
  await page.goto('/browse')
  await expect(heading(page, 'Browse Notes')).toBeVisible()

  await test.step('the skip link leads past the bar', async () => {
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Enter')
    await expect(main(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(main(page).locator(':focus')).toHaveCount(1)
  })

  await test.step('a link is followed with Enter', async () => {
    await tabTo(page, navLink(page, 'Upload'), 'Shift+Tab')
    await expect(navLink(page, 'Upload')).toHaveCSS('outline-style', 'solid')
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Upload Notes')).toBeFocused()
  })

  await test.step('the theme is chosen with arrows', async () => {
    const menu = banner(page).getByRole('button', { name: 'Theme: System' })
    await tabTo(page, menu, 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('group', { name: 'Theme' })).toBeVisible()
    await tabTo(page, page.getByRole('radio', { name: 'System' }))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('group', { name: 'Theme' })).toBeHidden()
    await expect(banner(page).getByRole('button', { name: 'Theme: Dark' })).toBeFocused()
  })

  await test.step('and out', async () => {
    await tabTo(page, logout(page))
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Login to Lectern')).toBeFocused()
  })
})

test('going back finds the place and the link that had led away', async ({ page }) => {
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

test('every unknown path is the 404 page, in the frame of the site @smoke', async ({ page, request }) => {
  for (const path of ['/nowhere', '/browse/nowhere', '/verify/nowhere', '/login/nowhere']) {
    await page.goto(path)
    await expect(heading(page, '404 Page Not Found')).toBeVisible()
    await expect(navLink(page, 'Login')).toBeVisible()
  }
  // Unknown paths return 404 to programs too.
  expect((await request.get('/api/nowhere')).status()).toBe(404)
  expect((await request.get('/assets/nowhere.js')).status()).toBe(404)
})

test('a chosen theme holds without a flash, and in every tab', async ({ page, context }) => {
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
    await banner(page)
      .getByRole('button', { name: `Theme: ${from}` })
      .click()
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
  await page.goto('/login')
  await expect(heading(page, 'Login to Lectern')).toBeVisible()
  expect([await paper(page), await chosenAtFirst()]).toEqual(['dark', 'none'])
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await paper(page)).toBe('light')

  const other = await context.newPage()
  await other.goto('/register')
  await expect(heading(other, 'Register')).toBeVisible()
  await choose('System', 'Dark')
  expect(await paper(page)).toBe('dark')
  await expect.poll(() => paper(other)).toBe('dark')
  await other.close()

  await test.step('the next visit is dark before any script of the app has run', async () => {
    // This holds all scripts except theme.js, which blocks the first paint.
    const scripts = await holdRequests(page, /\/assets\/.*\.js$/)
    await page.reload({ waitUntil: 'commit' })
    await expect(banner(page)).toBeVisible()
    expect([await paper(page), await chosenAtFirst()]).toEqual(['dark', 'dark'])
    await expect(heading(page, 'Login to Lectern')).toHaveCount(0)
    scripts.release()
    await expect(heading(page, 'Login to Lectern')).toBeVisible()
    expect(await paper(page)).toBe('dark')
  })

  await choose('Dark', 'System')
  expect(await paper(page)).toBe('light')
  await page.reload()
  await expect(banner(page).getByRole('button', { name: 'Theme: System' })).toBeVisible()
  expect(await chosenAtFirst()).toBe('none')
})

test('visitors read the landing page before a script has run, and users never see it @phone', async ({
  page,
  createStudent,
  signIn,
}) => {
  const welcome = heading(page, 'Study notes, shared.')

  await test.step('a visitor', async () => {
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
  })

  const usersScript = /\/assets\/notes-/
  const loaded: string[] = []
  page.on('request', (request) => void loaded.push(request.url()))
  await test.step('a visitor, whose pages load no script of the users’ pages', async () => {
    for (const path of ['/', '/login', '/register', '/rules']) await page.goto(path, { waitUntil: 'networkidle' })
    expect(loaded.filter((url) => usersScript.test(url))).toEqual([])
  })

  await test.step('a user', async () => {
    const student = await signIn(await createStudent())
    await page.goto('/browse')
    await expect(heading(page, 'Browse Notes')).toBeVisible()
    expect(loaded.filter((url) => usersScript.test(url))).not.toEqual([])
    const scripts = await holdRequests(page, /\/assets\/.*\.js$/)
    await page.goto('/', { waitUntil: 'commit' })
    await expect(banner(page)).toBeVisible()
    await expect(welcome).toBeHidden()
    await expect(banner(page).getByRole('link', { name: 'Register' })).toBeHidden()
    scripts.release()
    await expect(heading(page, new RegExp(student.name.split(' ')[0] ?? ''))).toBeVisible()
  })
})
