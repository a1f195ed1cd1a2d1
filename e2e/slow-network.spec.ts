import { expect, type Page } from '@playwright/test'
import { onePagePdf } from '../server/testing/pdf.ts'
import { clickForToast, clickTo, follow, open } from './actions.ts'
import { card, cards, fetchError } from './note-lists.ts'
import { shareNotes } from './notes.ts'
import { heading, main, navLink, toasts } from './page.ts'
import { holdRequests } from './requests.ts'
import { searchBar } from './search-bar.ts'
import { test } from './test.ts'

const listCall = /\/api\/notes(\?|$)/
const myNotesPart = /\/assets\/MyNotesPage-.*\.js$/
const offline = (page: Page) => page.getByRole('banner').getByRole('status')

test('a lost connection is shown, and requests recover', async ({ page, context, mia, ben, courseCode: course }) => {
  await shareNotes(ben, ['Heaps', 'Graphs'], { courseCode: course })
  await page.goto(`/browse?courseCode=${course}`)
  await expect(cards(page)).toHaveCount(2)
  await expect(toasts(page)).toBeAttached()

  await context.setOffline(true)
  await expect(offline(page)).toHaveText('You’re offline. Some things won’t load until you reconnect.')
  await expect(cards(page)).toHaveCount(2)
  const bar = searchBar(page)
  await bar.title.fill('heaps')
  await bar.search.click()
  await expect(main(page).getByText(fetchError).last()).toBeVisible()
  // The notice makes the bar higher, and does not cover what has the focus.
  await page.setViewportSize({ width: 1000, height: 420 })
  await bar.title.evaluate((field) => window.scrollBy(0, field.getBoundingClientRect().top - 70))
  await bar.title.focus()
  const boxes = await Promise.all([page.getByRole('banner').boundingBox(), bar.title.boundingBox()])
  expect(boxes[1]?.y).toBeGreaterThan(boxes[0]?.height ?? 0)

  await context.setOffline(false)
  await expect(offline(page)).toHaveText('')
  await expect(cards(page)).toHaveText([/Heaps/])
  await expect(main(page).getByText(fetchError)).toHaveCount(0)
})

test('the skeleton of a slow list causes no layout shift', async ({ page, mia, ben, courseCode: course }) => {
  await shareNotes(ben, ['Heaps', 'Graphs'], { courseCode: course })
  await open(page, '/browse?courseCode=NOTHING+HERE', 'Browse Notes')
  const held = await holdRequests(page, listCall)
  const bar = searchBar(page)
  await bar.courseCode.fill(course)
  await bar.search.click()
  const waiting = page.locator('.note-card-skeleton')
  await expect(waiting.first()).toBeVisible()
  await expect(heading(page, 'Browse Notes')).toBeVisible()
  await expect(bar.bar).toBeVisible()
  const place = await waiting.first().boundingBox()
  // The skeleton itself moves the footer, and on a slow machine not within the 500 ms that count as caused by the click.
  await page.evaluate(() => {
    const shifts: number[] = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
        if (!entry.hadRecentInput) shifts.push(entry.value)
      }
    }).observe({ type: 'layout-shift' })
    Reflect.set(window, 'shifts', shifts)
  })
  held.release()
  await expect(cards(page)).toHaveCount(2)
  await expect(waiting).toHaveCount(0)
  expect(await cards(page).first().boundingBox()).toMatchObject({ x: place?.x, y: place?.y, width: place?.width })
  const shifts: number[] = await page.evaluate(() => Reflect.get(window, 'shifts'))
  expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThanOrEqual(0.02)
})

test('a slow first start shows the bar and a skeleton, and offers to reload @phone', async ({ page, mia }) => {
  await open(page, '/courses', 'Courses')
  const part = await holdRequests(page, /\/assets\/BrowsePage-.*\.js$/)
  await page.goto('/browse', { waitUntil: 'commit' })
  await expect.poll(() => part.requests.length).toBe(1)
  await expect(main(page)).toHaveAttribute('aria-busy', 'true')
  await expect(page.locator('.layout-progress')).toBeVisible()
  await expect(page.locator('.note-card-skeleton').first()).toBeVisible()
  const reload = page.getByRole('link', { name: 'reload this page' })
  await expect(reload).toBeHidden()
  // As if ten seconds had passed.
  await page.evaluate(() => document.querySelector('.loading-slow')?.getAnimations()[0]?.finish())
  await reload.click()
  await expect.poll(() => part.requests.length).toBe(2)
  part.release()
  await expect(heading(page, 'Browse Notes')).toBeVisible()
  await expect(reload).toHaveCount(0)

  // The results of a search are no grid.
  const results = await holdRequests(page, /\/assets\/BrowsePage-.*\.js$/)
  await page.goto('/browse?q=heaps', { waitUntil: 'commit' })
  await expect.poll(() => results.requests.length).toBe(1)
  await expect(main(page)).toHaveAttribute('aria-busy', 'true')
  await expect(page.locator('.note-card-skeleton').first()).toBeHidden()
})

test('an upgrade under an open page loses nothing that was typed or selected', async ({ page, signIn }) => {
  const mia = await signIn()
  await shareNotes(mia, ['Heaps', 'Graphs'])
  const questions: string[] = []
  let answer = false
  page.on('dialog', (dialog) => {
    questions.push(dialog.message())
    return answer ? dialog.accept() : dialog.dismiss()
  })
  const question = 'Lectern couldn’t load this part. It may have been updated. Reload now?'
  const missing = (url: RegExp) => page.route(url, (route) => route.fulfill({ status: 404, body: '' }))

  // Files chosen on Upload stay, unless the student agrees to reload.
  await open(page, '/upload', 'Upload Notes')
  await page.getByLabel('PDF files').setInputFiles({ name: 'A.pdf', mimeType: 'application/pdf', buffer: onePagePdf })
  await page.getByLabel('Course code').fill('MAT 137')
  await missing(myNotesPart)
  await navLink(page, 'My Notes').click()
  await expect.poll(() => questions).toEqual([question])
  await expect(main(page)).toHaveAttribute('aria-busy', 'false')
  await expect(page).toHaveURL('/upload')
  await expect(page.getByLabel('Title of A.pdf')).toHaveValue('A')
  await expect(page.getByLabel('Course code')).toHaveValue('MAT 137')
  await page.unroute(myNotesPart)
  const part = await holdRequests(page, myNotesPart)
  answer = true
  await page.route(myNotesPart, (route) =>
    questions.length === 1 ? route.fulfill({ status: 404, body: '' }) : route.fallback(),
  )
  await navLink(page, 'My Notes').click()
  await expect.poll(() => questions).toEqual([question, question])
  part.release()
  await expect(heading(page, 'My Notes')).toBeVisible()
  answer = false

  await card(page, 'Heaps').getByRole('button', { name: /^Edit/ }).click()
  await page.getByRole('dialog').getByLabel('Title').fill('Binary heaps')
  await missing(/\/assets\//)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expect(card(page, 'Binary heaps')).toBeVisible()

  // A selection stays where a dialog fails to load, and nothing blocks the page.
  await page.getByRole('button', { name: 'Select notes' }).click()
  await page.getByRole('checkbox', { name: 'Select Graphs' }).check({ force: true })
  await page.getByRole('button', { name: 'Edit selected notes' }).click()
  await expect.poll(() => questions).toHaveLength(3)
  await navLink(page, 'Liked').click()
  await expect.poll(() => questions).toHaveLength(4)
  await expect(page.getByRole('region', { name: 'Selected notes' })).toContainText('1 selected')

  // Without a connection, no reload would help.
  await page.context().setOffline(true)
  const unavailable = 'You’re offline. Try again when you reconnect.'
  await clickForToast(page.getByRole('button', { name: 'Edit selected notes' }), unavailable)
  expect(questions).toHaveLength(4)
})

test('a navigation that needs a missing script reloads its address, once', async ({ page, signIn }) => {
  await signIn()
  await open(page, '/upload', 'Upload Notes')
  let documents = 0
  page.on('request', (each) => each.isNavigationRequest() && documents++)
  // The script is missing for the open page; the reloaded page can load it.
  await page.route(myNotesPart, (route) =>
    documents === 0 ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  )
  await follow(page, 'My Notes', 'My Notes')
  await expect(page).toHaveURL('/my-notes')
  expect(documents).toBe(1)

  // Where that does not help, it is said.
  await page.route(/\/assets\/LikedNotesPage-.*\.js$/, (route) => route.fulfill({ status: 404, body: '' }))
  await follow(page, 'Liked', 'This page didn’t load')
  await expect(navLink(page, 'Browse')).toBeVisible()
  await page.unrouteAll()
  await clickTo(page.getByRole('button', { name: 'Try again' }), 'Liked Notes')
})
