import { type BrowserContext, expect, type Page } from '@playwright/test'
import { clickForToast, clickTo, enter, follow, open } from './actions.ts'
import { logIn, submitButton } from './forms.ts'
import { likeButton } from './note-lists.ts'
import { ask, shareFile, shareNote } from './notes.ts'
import { heading, main, navLink, toast, toasts } from './page.ts'
import { pdfOfPages } from './pdfs.ts'
import { holdRequests, listCalls, mockServerError } from './requests.ts'
import { type Student, test } from './test.ts'

const sessionExpired = 'Session expired. Please log in again.'
const logout = (page: Page) => page.getByRole('button', { name: 'Logout' })
/** This cookie marks a browser in which a user has logged in. It grants no access and survives a logout. */
const deviceCookie = 'lectern-device'
const cookieNames = async (context: BrowserContext) => (await context.cookies()).map((cookie) => cookie.name)

const count = (calls: string[], call: string) => calls.filter((each) => each === call).length
const refresh = 'POST /api/users/auth/refresh'

async function endSession(context: BrowserContext) {
  expect((await context.request.post('/api/users/logout')).status()).toBe(204)
}

test('at its start the app silently requests the session', async ({ page, context, consoleErrors, signIn }) => {
  const calls = listCalls(page, /^\/api\//)
  await open(page, '/', /Study notes/)
  await expect.poll(() => count(calls, refresh)).toBe(1)
  await expect(toasts(page).getByRole('listitem')).toHaveCount(0)
  expect(consoleErrors).toEqual([])

  await signIn({ name: 'Mia Lund' })
  calls.length = 0
  await open(page, '/my-notes', 'My Notes')
  await expect(page.getByText('Mia Lund')).toBeVisible()
  await follow(page, 'Liked', 'Liked Notes')
  expect(count(calls, refresh)).toBe(1)
  expect(count(calls, 'GET /api/users/me')).toBe(1)

  // It requests a list together with the session.
  const me = await holdRequests(page, /\/api\/users\/me$/)
  calls.length = 0
  await page.reload()
  await expect.poll(() => count(calls, 'GET /api/users/me/notes/liked')).toBe(1)
  expect(me.requests).toHaveLength(1)
  me.release()
  await expect(heading(page, 'Liked Notes')).toBeVisible()
  expect(count(calls, 'GET /api/users/me/notes/liked')).toBe(1)

  // A session that ended between two visits is not reported.
  await endSession(context)
  await open(page, '/my-notes', 'Login to Lectern')
  await expect(page).toHaveURL('/login?next=%2Fmy-notes')
  await expect(toast(page, sessionExpired)).toHaveCount(0)
})

test('an ended session shows a message; the login returns there @smoke', async ({ page, context, ben, signIn }) => {
  const student = await signIn({ name: 'Mia Lund' })
  await open(page, '/upload', 'Upload Notes')
  await endSession(context)
  const calls = listCalls(page, /^\/api\//)
  await clickForToast(navLink(page, 'My Notes'), sessionExpired)
  await expect(toasts(page).getByRole('listitem')).toHaveCount(1)
  await expect(page).toHaveURL('/login?next=%2Fmy-notes')
  await expect(navLink(page, 'Login')).toBeVisible()
  await expect(logout(page)).toHaveCount(0)
  expect(count(calls, refresh)).toBe(1)
  expect(count(calls, 'POST /api/users/auth/logout')).toBe(1)
  await expect(submitButton(page, 'Login')).not.toHaveAttribute('aria-busy')

  await logIn(page, student, 'My Notes')
  await expect(page).toHaveURL('/my-notes')

  // And to the page of a note that was being read.
  const note = await shareFile(ben, { title: 'Heaps', content: pdfOfPages(['One', 'Two']), pageCount: 2 })
  await open(page, `/notes/${note._id}`, 'Heaps')
  await enter(page.getByLabel('Page', { exact: true }), '2')
  await expect(page).toHaveURL(/page=2/)
  await endSession(context)
  await likeButton(page.locator('header')).click()
  await logIn(page, student, 'Heaps')
  await expect(page).toHaveURL(/\/notes\/.*page=2/)

  // The link in a mail leads to a section of a page.
  await endSession(context)
  await page.goto('/settings#export')
  await logIn(page, student, 'Settings')
  await expect(page).toHaveURL('/settings#export')
})

test('a logout shows a message and ends the session, even one that fails', async ({ page, context, signIn }) => {
  const student = await signIn({ name: 'Mia Lund' })
  await page.goto('/browse')
  await clickForToast(logout(page), 'Logout successful!')
  await expect(page).toHaveURL('/login')
  await expect(heading(page, 'Login to Lectern')).toBeFocused()
  expect(await cookieNames(context)).toEqual([deviceCookie])
  // Going back from the login page shows nothing of the student.
  await page.goBack()
  await expect(page).toHaveURL(/\/login/)

  await signIn(student)
  await page.goto('/browse')
  await mockServerError(page, /\/api\/users\/logout$/, 'POST')
  await logout(page).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(navLink(page, 'Register')).toBeVisible()
  await expect(toast(page, sessionExpired)).toHaveCount(0)
  await follow(page, 'Register', 'Register')
  // A pending logout is sent before any other request.
  await page.reload()
  await expect(heading(page, 'Register')).toBeVisible()
  await page.unrouteAll()
  await page.goto('/my-notes')
  await expect(page).toHaveURL('/login?next=%2Fmy-notes')
  await expect.poll(() => cookieNames(context)).toEqual([deviceCookie])
  await logIn(page, student, 'My Notes')
})

test('a logout without a connection leaves nothing for the next student', async ({ page, context, createStudent }) => {
  const [first, second] = [await createStudent(), await createStudent()]
  await shareNote(first, 'Seen by its owner', { courseCode: 'HIS 101' })
  await page.goto('/login?next=/my-notes')
  await logIn(page, first)
  await expect(main(page).getByRole('article')).toHaveText([/Seen by its owner/])
  await context.setOffline(true)
  await clickTo(logout(page), 'Login to Lectern')
  await context.setOffline(false)
  await logIn(page, second)
  await follow(page, 'My Notes', 'My Notes')
  await expect(main(page).getByRole('article')).toHaveCount(0)
})

test('tabs follow each other’s login and logout', async ({ page, context, createStudent, ben }) => {
  const mia = await createStudent({ name: 'Mia Lund' })
  const second = await context.newPage()
  const third = await context.newPage()
  await page.goto('/login')
  await open(second, '/login?next=%2Fupload', 'Login to Lectern')
  await open(third, '/', /Study notes/)

  await logIn(page, mia, 'Welcome, Mia!')
  await expect(heading(second, 'Upload Notes')).toBeVisible()
  await expect(heading(third, 'Welcome, Mia!')).toBeVisible()
  await follow(third, 'My Notes', 'My Notes')

  await clickForToast(logout(second), 'Logout successful!')
  for (const tab of [page, third]) {
    await expect(heading(tab, 'Login to Lectern')).toBeVisible()
    await expect(toast(tab, sessionExpired)).toHaveCount(0)
  }
  await expect(third).toHaveURL('/login?next=%2Fmy-notes')

  await logIn(third, ben, 'My Notes')
  for (const tab of [page, second, third]) {
    await expect(tab.getByRole('banner').getByRole('link', { name: 'Ben Ito' })).toBeVisible()
  }
})

test('the access token lives in memory only', async ({ page, context, createStudent }) => {
  const student = await createStudent()
  const answer = page.waitForResponse('**/api/users/login')
  await page.goto('/login?next=%2Fbrowse')
  await logIn(page, student)
  const { accessToken } = await (await answer).json()
  const used = page.waitForRequest('**/api/users/me/notes')
  await expect(heading(page, 'Browse Notes')).toBeVisible()
  await navLink(page, 'My Notes').click()
  expect((await used).headers().authorization).toBe(`Bearer ${accessToken}`)
  await expect(heading(page, 'My Notes')).toBeVisible()

  const kept = await page.evaluate(async () =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      history.state,
      location.href,
      await indexedDB.databases(),
      await caches.keys(),
      document.documentElement.outerHTML,
    ]),
  )
  expect(accessToken.length).toBeGreaterThan(20)
  expect(kept).not.toContain(accessToken)
  expect(kept).not.toContain(student.password)
  expect(await page.evaluate(() => [document.cookie, indexedDB.databases()])).toEqual(['', {}])
  const cookies = await context.cookies()
  expect(cookies.map((cookie) => cookie.name).sort()).toEqual([deviceCookie, 'lectern-refresh'])
  for (const cookie of cookies) {
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
    expect(cookie.value).not.toContain(accessToken)
  }
})

async function suspend(admin: Student, { id }: Student) {
  const suspension = { days: 7, reason: 'Sold exams.', hidesNotes: true }
  await ask(admin, 'POST', `/api/admin/members/${id}/suspension`, suspension)
}

test('a suspended user sees the reason @phone @smoke', async ({ page, admin, createStudent }) => {
  const student = await createStudent({ name: 'Sam Reyes' })
  const { _id: noteId } = await shareNote(student, 'Heaps')
  await suspend(admin, student)
  const heading = page.getByRole('heading', { name: 'Your account is suspended' })

  await page.goto('/my-notes')
  await logIn(page, student)
  await expect(heading).toBeVisible()
  await expect(page).toHaveURL(/\/suspended$/)
  await expect(page).toHaveTitle(/Account suspended/)
  await expect(main(page).getByRole('region', { name: 'Reason' })).toContainText(/until \d+ \w+ 20\d\d, .*Sold exams\./)

  // There is no other page of students, and those for everybody stay.
  await expect(page.getByRole('link', { name: 'Browse' })).toHaveCount(0)
  for (const path of ['/', '/browse?title=x', '/upload', '/settings', '/login', `/notes/${noteId}`]) {
    await page.goto(path)
    await expect(heading).toBeVisible()
    await expect(page).toHaveURL(/\/suspended$/)
  }
  await main(page).getByRole('link', { name: 'Guidelines' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Guidelines' })).toBeVisible()
  await page.getByRole('link', { name: 'Lectern, home' }).click()
  await expect(heading).toBeFocused()

  await clickTo(page.getByRole('button', { name: 'Logout' }), 'Login to Lectern')
})

test('tabs follow a suspension at the latest at their next request', async ({ page, context, admin, signIn }) => {
  /** Suspends a student whose open page sends no requests by itself, and so does not learn of the suspension. */
  const suspendMeanwhile = async () => {
    const student = await signIn({})
    await open(page, '/upload', 'Upload Notes')
    await suspend(admin, student)
    return student
  }

  // The limited login of another tab notifies the first one.
  const notified = await suspendMeanwhile()
  const another = await context.newPage()
  await another.goto('/login')
  await logIn(another, notified, 'Your account is suspended')
  await expect(heading(page, 'Your account is suspended')).toBeVisible()
  await another.close()

  // Without a notification the next request is refused.
  await signIn(await suspendMeanwhile())
  // These initial requests must finish first, or one of them would report the session that ends below.
  const answered = ['export', 'leaving', 'sessions'].map((what) => page.waitForResponse(`/api/users/me/${what}`))
  await clickTo(navLink(page, 'My Notes'), 'Your account is suspended')
  await expect(page).toHaveURL(/\/suspended$/)
  await Promise.all(answered)

  // A session that has ended meanwhile is reported once.
  await endSession(context)
  await clickForToast(submitButton(page, 'Create export'), sessionExpired)
  await expect(heading(page, 'Login to Lectern')).toBeVisible()
  // Read without retries, because a second toast would disappear.
  expect(await toasts(page).getByRole('listitem').count()).toBe(1)
})

test('no text becomes markup or a script in a page', async ({ page, consoleErrors }) => {
  await open(page, '/login', 'Login to Lectern')
  const outcomes = await page.evaluate(() => {
    const ways: Record<string, () => unknown> = {
      markup: () => Object.assign(document.createElement('div'), { innerHTML: '<b>bold</b>' }),
      'a script by its address': () => Object.assign(document.createElement('script'), { src: '/assets/other.js' }),
      'a script by its text': () => Object.assign(document.createElement('script'), { text: 'window.told = true' }),
      'a worker': () => new Worker('/assets/other.js'),
      'a document': () => Object.assign(document.createElement('iframe'), { srcdoc: '<b>bold</b>' }),
    }
    return Object.entries(ways).map(([way, make]) => {
      try {
        make()
        return `${way} was made`
      } catch (error) {
        return (error as Error).name
      }
    })
  })
  expect(outcomes).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError'])
  // The console shows these five errors and no others.
  await expect.poll(() => consoleErrors).toHaveLength(5)
  expect(consoleErrors.splice(0).filter((text) => !/requires 'Trusted\w+' assignment/.test(text))).toEqual([])

  await open(page, '/api/docs', /^Lectern/)
})
