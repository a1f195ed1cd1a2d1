import { expect, type Page } from '@playwright/test'
import { taglines } from '../web/features/home/taglines.ts'
import { clickForToast, clickTo, open } from './actions.ts'
import { register } from './forms.ts'
import { fetchError } from './note-lists.ts'
import { ask, deleteNote, type SharedNote, shareFile, shareNote, shareNotes } from './notes.ts'
import { button, heading, main, region, uniqueCourseCode } from './page.ts'
import { makeOutlinedPdf } from './pdfs.ts'
import { holdRequests, mockServerError } from './requests.ts'
import { onOwnServer, ownServerTest, test } from './test.ts'

async function readTagline(page: Page): Promise<string> {
  const text = await region(page, /^Welcome/)
    .getByRole('paragraph')
    .textContent()
  expect(taglines).toContain(text)
  return text ?? ''
}

const fresh = onOwnServer(async () => ({}))
const operated = onOwnServer(async () => ({
  OPERATOR_NAME: 'Maths students’ council',
  OPERATOR_TEXT: '<b>Room 12</b>.\n\nWrite to us.',
  OPERATOR_LINKS: 'Privacy & terms=https://uni.example/privacy?a=b,Imprint=mailto:imprint@uni.example',
}))

const ownLinks = ['Guidelines', 'Moderation log', 'What “anonymous” means', 'Copyright']

fresh('a visitor of a new instance is invited, and reads about data and operator @phone', async ({ page }) => {
  const held = await holdRequests(page, /\/api\/about$/)
  await page.goto('/')
  // The built document has no footer.
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await expect(region(page, 'What a note looks like').getByRole('listitem')).toHaveCount(4)
  await expect(main(page).getByRole('img', { name: /^Example note/ })).toBeVisible()
  await expect(region(page, 'Your data').getByRole('term')).toHaveText([
    'What we store',
    'What others see',
    'Anonymous notes',
  ])
  const place = await region(page, 'Your data').boundingBox()
  held.release()
  await expect(region(page, 'What you’ll find here')).toContainText('This site is new.')
  await expect(region(page, 'Who runs this site')).toContainText('haven’t added any details yet')
  expect(await region(page, 'Your data').boundingBox()).toEqual(place)
})

operated(
  'a visitor reads the operator’s text and links, and the size of the library',
  async ({ page, lectern, request, ben }) => {
    const titles = Array.from({ length: 10 }, (_, at) => `Week ${at + 1}`)
    await shareNotes(ben, titles, { courseCode: 'MAT137' })
    await page.goto('/')
    await expect(region(page, 'What you’ll find here')).toContainText('10+ notes')
    await expect(region(page, 'What you’ll find here')).not.toContainText('courses')
    const operator = region(page, 'Who runs this site')
    await expect(operator.getByRole('paragraph')).toHaveText([
      'Maths students’ council',
      '<b>Room 12</b>.',
      'Write to us.',
    ])

    // And shows neither where they are unavailable.
    await page.route(/\/api\/about$/, (route) => route.abort())
    await page.reload()
    await expect(region(page, 'What you’ll find here')).toBeVisible()
    await expect(operator).toContainText('haven’t added any details yet')

    // The links are in the footer, the form and emails.
    await page.goto('/register')
    for (const place of [page.getByRole('contentinfo'), main(page).getByRole('list').last()]) {
      await expect(place.getByRole('link')).toHaveText([...ownLinks, 'Privacy & terms', 'Imprint'])
      const link = place.getByRole('link', { name: 'Privacy & terms' })
      await expect(link).toHaveAttribute('href', 'https://uni.example/privacy?a=b')
    }
    const email = await register(request, { name: 'Ana' })
    await lectern.readMailedLink(email)
    await page.goto(`/dev/outbox?to=${encodeURIComponent(email)}`)
    const mail = page.getByRole('article').filter({ hasText: email })
    await expect(mail).toContainText('Privacy & terms: https://uni.example/privacy?a=b')
    await expect(mail).toContainText('Imprint: mailto:imprint@uni.example')
  },
)

test('the welcome banner greets by first name, and its tagline changes every 30 seconds', async ({ page, signIn }) => {
  await signIn({ name: '  Mia Sofie Lund ' })
  await page.clock.install({ time: '2026-11-21T09:00:00Z' })
  await open(page, '/', 'Welcome, Mia!')
  await page.clock.pauseAt('2026-11-21T10:00:00Z')
  let shown = await readTagline(page)
  const banner = region(page, /^Welcome/)

  // Every 30 seconds, never the one before.
  await page.clock.runFor(30_000)
  for (let turn = 0; turn < 3; turn++) {
    shown = await readTagline(page)
    await page.clock.runFor(29_000)
    await expect(banner).toContainText(shown)
    await page.clock.runFor(1_000)
    await expect(banner).not.toContainText(shown)
  }
  shown = await readTagline(page)

  const setHidden = (hidden: boolean) =>
    page.evaluate((isHidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
      document.dispatchEvent(new Event('visibilitychange'))
    }, hidden)
  await setHidden(true)
  await page.clock.runFor(120_000)
  await expect(banner).toContainText(shown)
  await setHidden(false)
  await page.clock.runFor(30_000)
  await expect(banner).not.toContainText(shown)
  shown = await readTagline(page)

  // Nor the same after the page was loaded again.
  await page.clock.resume()
  await page.reload()
  await expect(heading(page, 'Welcome, Mia!')).toBeVisible()
  await expect(banner).not.toContainText(shown)
})

test('Home begins with Continue reading, from which notes can be removed @phone', async ({ page, mia, ben }) => {
  const [book, thick] = [await makeOutlinedPdf(4), await makeOutlinedPdf(9)]
  const first = await shareFile(ben, { title: 'Four pages', content: book, pageCount: 4 }, { courseCode: 'READ1' })
  const second = await shareFile(ben, { title: 'Nine pages', content: thick, pageCount: 9 }, { courseCode: 'READ2' })
  const gone = await shareFile(ben, { title: 'Deleted since', content: book, pageCount: 4 })
  const stopAt = (note: SharedNote, at: number) => ask(mia, 'PATCH', `/api/notes/${note._id}/reading`, { page: at })
  const reading = region(page, 'Continue reading')
  const items = reading.getByRole('listitem')
  const files = await holdRequests(page, /\/view$/)

  // Nothing to go on with, and nothing that repeats the navigation.
  await open(page, '/', 'Welcome, Mia!')
  await expect(region(page, 'Recently viewed')).toBeVisible()
  await expect(reading).toHaveCount(0)
  await expect(main(page).getByRole('link', { name: /^(Upload|Browse)( notes)?$/ })).toHaveCount(0)
  await expect(main(page).getByLabel('Search inside notes', { exact: true })).toBeInViewport()

  // The page where one stopped, read last first.
  await stopAt(gone, 2)
  await stopAt(first, 3)
  await stopAt(second, 2)
  await deleteNote(ben, gone._id)
  await page.reload()
  await expect(items).toHaveText([/Nine pagesREAD2Page 2 of 9/, /Four pagesREAD1Page 3 of 4/])
  const places = await page
    .getByRole('region')
    .evaluateAll((regions) => regions.map((region) => region.ariaLabelledByElements?.[0]?.textContent))
  expect(places.slice(1, 3)).toEqual(['Continue reading', 'First steps'])
  expect(places.indexOf('First steps')).toBeLessThan(places.indexOf('Recently viewed'))
  const top = (await items.first().boundingBox())?.y ?? Number.POSITIVE_INFINITY
  expect(top, 'on a phone, the first note').toBeLessThan((page.viewportSize()?.width ?? 0) > 390 ? 500 : 400)

  // This page is drawn, without moving anything.
  const before = await items.first().boundingBox()
  files.release()
  await expect(items.first().locator('canvas')).toBeVisible()
  await expect(items.last().locator('canvas')).toBeVisible()
  await expect(items.first().locator('img')).toHaveCount(0)
  expect(await items.first().boundingBox()).toEqual(before)

  // One click goes on reading there, and the last page ends it.
  await reading.getByRole('link', { name: 'Four pages' }).click()
  await expect(page).toHaveURL(`/notes/${first._id}`)
  await expect(page.getByRole('textbox', { name: /Page/ }).or(page.getByText('3 of 4'))).not.toHaveCount(0)
  await stopAt(first, 4)
  await page.goto('/')
  await expect(items).toHaveText([/Nine pages/])

  // Taken off: a failure brings it back, a success keeps the page in mind.
  const off = page.getByRole('button', { name: 'Remove “Nine pages” from Continue reading' })
  await mockServerError(page, /\/me\/reading\//, 'DELETE')
  await clickForToast(off, 'Failed to remove the note from the list. Please try again later.')
  await expect(items).toHaveCount(1)
  await page.unrouteAll()
  const saved = page.waitForResponse(/\/me\/reading\//)
  await off.click()
  await expect(reading).toHaveCount(0)
  await expect(heading(page, 'Welcome, Mia!')).toBeFocused()
  await saved
  await page.reload()
  await expect(heading(page, 'Welcome, Mia!')).toBeVisible()
  await expect(reading).toHaveCount(0)
  await stopAt(second, 5)
  await page.reload()
  await expect(items).toHaveText([/Page 5 of 9/])

  // It shows an error where it is unavailable, and the rest stays.
  let refused = 0
  await page.route(/\/view$/, (route) => {
    refused++
    return route.abort()
  })
  await page.reload()
  await expect.poll(() => refused).toBeGreaterThan(0)
  await expect(items.first().locator('.note-thumbnail-page')).toHaveCount(1)
  await expect(items.first().locator('canvas')).toHaveCount(0)
  await mockServerError(page, /\/me\/reading$/)
  await page.reload()
  await expect(reading).toContainText(fetchError)
  await expect(region(page, 'Newest').getByRole('article').first()).toBeVisible()
  await page.unrouteAll()
  await reading.getByRole('button', { name: 'Try again' }).click()
  await expect(reading).not.toContainText(fetchError)
})

test('Home begins with three steps @phone', async ({ page, mia, ben, courseCode, createStudent, signIn }) => {
  await shareNote(ben, 'Heaps', { courseCode })
  const steps = region(page, 'First steps')
  const step = (name: string) => steps.getByRole('listitem').filter({ hasText: name })
  await page.goto('/')
  await expect(steps.getByRole('heading', { level: 3 })).toHaveText([
    'Follow your courses',
    'Search for something you need this week',
    'Upload one note',
  ])

  // One opens the search box, and is completed by a search.
  await button(step('Search for something'), /^Search for/).click()
  const box = main(page).getByLabel('Search inside notes', { exact: true })
  await expect(box).toBeFocused()
  await page.keyboard.type(courseCode)
  await page.keyboard.press('Enter')
  await expect(heading(page, `Results for “${courseCode}”`)).toBeVisible()
  await page.goto('/')
  await expect(step('Search for something')).toContainText('(done)')

  // An upload and its course too; what is new and whom it helped comes instead.
  await shareNote(mia, 'Trees', { courseCode: uniqueCourseCode() })
  await page.reload()
  await expect(step('Upload one note')).toContainText('(done)')
  await ask(mia, 'POST', `/api/courses/${courseCode}/follow`)
  await page.reload()
  await expect(region(page, 'New in your courses')).toContainText('Heaps')
  await expect(steps).toHaveCount(0)

  await page.evaluate(() => localStorage.clear())
  await ask(mia, 'DELETE', `/api/courses/${courseCode}/follow`)
  await page.reload()
  await steps.getByRole('button', { name: 'Dismiss “Search for something you need this week”' }).click()
  await expect(heading(page, 'Welcome, Mia!')).toBeFocused()
  await expect(steps.getByRole('listitem')).toHaveCount(2)
  await steps.getByRole('button', { name: 'Dismiss “Follow your courses”' }).click()
  await expect(steps).toHaveCount(0)
  await page.reload()
  await expect(heading(page, 'Welcome, Mia!')).toBeVisible()
  await expect(steps).toHaveCount(0)

  // But another student of this device has them all.
  await signIn(await createStudent())
  await page.goto('/')
  await expect(steps.getByRole('listitem')).toHaveCount(3)
})

test('the landing page becomes Home although the session is known late and scripts load slowly', async ({
  page,
  signIn,
}) => {
  await signIn({ name: 'Mia Lund' })
  const script = await holdRequests(page, /\/HomePage-[^/]*\.js$/)
  const user = await holdRequests(page, /\/api\/users\/me$/)
  const followed = page.waitForResponse(/\/api\/users\/me\/courses$/)
  await page.goto('/', { waitUntil: 'commit' })
  await expect.poll(() => [script.requests.length, user.requests.length]).toEqual([1, 1])
  await expect(heading(page, /Study notes/)).toBeVisible()
  script.release()
  await followed
  user.release()
  await expect(heading(page, 'Welcome, Mia!')).toBeVisible()
})

test('a page that cannot be loaded shows so beside the navigation, and is loaded again', async ({ page, mia }) => {
  await open(page, '/', 'Welcome, Mia!')
  const [refresh, user] = [/\/api\/users\/auth\/refresh/, /\/api\/users\/me$/]
  for (const [failing, method, path, title] of [
    [refresh, 'POST', '/', 'Welcome, Mia!'],
    [user, 'GET', '/', 'Welcome, Mia!'],
    [user, 'GET', `/courses/${uniqueCourseCode()}`, 'Course not found'],
    [user, 'GET', '/notes/4c1f4a5e-0000-4000-8000-000000000000', 'Note not found'],
  ] as const) {
    await mockServerError(page, failing, method)
    await open(page, path, 'This page didn’t load')
    await expect(page.getByRole('link', { name: 'Lectern, home' })).toBeVisible()
    await expect(page).not.toHaveTitle(/not found/i)
    await page.unroute(failing)
    await clickTo(page.getByRole('button', { name: 'Try again' }), title)
  }

  // The session comes with the second attempt.
  let attempts = 0
  await page.route(refresh, (route) => (attempts++ === 0 ? route.abort() : route.fallback()))
  await open(page, '/', 'Welcome, Mia!')
})

ownServerTest('the shelves hold what was viewed, the newest and the most liked', async ({ page, mia, ben }) => {
  const [heaps] = await shareNotes(ben, ['Shelf of heaps', 'Shelf of graphs'], { courseCode: 'SHELF1' })
  await page.goto('/')
  await expect(region(page, 'Recently viewed')).toContainText('You haven’t viewed any notes yet.')
  const newest = region(page, 'Newest')
  await expect(newest.getByRole('article').filter({ hasText: 'Shelf of heaps' })).toBeVisible()
  await expect(region(page, 'Most liked').getByRole('article').first()).toBeVisible()

  await ask(mia, 'PATCH', '/api/users/me', { recentlyViewedNotes: [heaps?._id] })
  await page.reload()
  await expect(region(page, 'Recently viewed').getByRole('article')).toHaveText([/Shelf of heaps/])
  await expect(region(page, 'Recently viewed').getByRole('link', { name: /^All / })).toHaveAttribute('href', '/profile')
  await expect(newest.getByRole('link', { name: /^All / })).toHaveAttribute('href', '/browse')
  await region(page, 'Most liked').getByRole('link', { name: /^All / }).click()
  await expect(page).toHaveURL('/browse?sortBy=likes')
  await expect(page.getByLabel('Sort by')).toHaveValue('likes')

  // A shelf whose notes fail to load shows an error, and recovers; the others stay.
  await mockServerError(page, /\/api\/notes/)
  await page.goto('/')
  await expect(region(page, 'Newest')).toContainText(fetchError)
  await expect(region(page, 'Most liked')).toContainText(fetchError)
  await expect(region(page, 'Recently viewed').getByRole('article')).toHaveCount(1)
  await page.unrouteAll()
  await newest.getByRole('button', { name: 'Try again' }).click()
  await expect(newest.getByRole('article').first()).toBeVisible()
  await page.context().setOffline(true)
  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false)
  await page.context().setOffline(false)
  await expect(region(page, 'Most liked').getByRole('article').first()).toBeVisible()
})
