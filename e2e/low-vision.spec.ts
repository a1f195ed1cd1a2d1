import { expect, type Locator, type Page } from '@playwright/test'
import { card, cards, dislikeButton, likeButton, loadMore, navLink, searchBar } from './note-lists.ts'
import { shareNote, shareNotes, uniqueCourseCode, uploadMany } from './notes.ts'
import { test } from './test.ts'

const background = (of: Locator) => of.evaluate((element) => getComputedStyle(element).backgroundColor)
const isUnderlined = (of: Locator) =>
  of.evaluate((element) =>
    [element, ...element.querySelectorAll('*')].some((each) =>
      getComputedStyle(each).textDecorationLine.includes('underline'),
    ),
  )

test('in forced colours one sees what is pressed, where one is and what matters most', async ({ page, mia, ben }) => {
  const courseCode = uniqueCourseCode()
  await shareNotes(ben, ['Heaps', 'Graphs'], { courseCode })
  await shareNotes(mia, ['Trees', 'Sets'], { courseCode: uniqueCourseCode() })
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(`/browse?courseCode=${courseCode}`)

  await test.step('what one likes and dislikes', async () => {
    const [heaps, graphs] = [card(page, 'Heaps'), card(page, 'Graphs')]
    await likeButton(heaps).click()
    await dislikeButton(graphs).click()
    await expect(likeButton(heaps)).toHaveAttribute('aria-pressed', 'true')
    await expect(dislikeButton(graphs)).toHaveAttribute('aria-pressed', 'true')
    await expect.poll(() => background(likeButton(heaps))).not.toBe(await background(likeButton(graphs)))
    await expect.poll(() => background(dislikeButton(graphs))).not.toBe(await background(dislikeButton(heaps)))
  })

  await test.step('the page one is on', async () => {
    expect(await isUnderlined(navLink(page, 'Browse'))).toBe(true)
    expect(await isUnderlined(navLink(page, 'Upload'))).toBe(false)
  })

  await test.step('the button that does it', async () => {
    const search = searchBar(page).search
    expect(await background(search)).not.toBe(await background(page.locator('body')))
    expect(await background(search)).not.toBe(await background(card(page, 'Heaps')))
  })

  await test.step('which of several are selected', async () => {
    await page.goto('/my-notes')
    await page.getByRole('button', { name: 'Select notes', exact: true }).click()
    const box = (title: string) => card(page, title).locator('label', { hasText: `Select ${title}` })
    await box('Trees').click()
    await expect(page.getByRole('checkbox', { name: 'Select Trees' })).toBeChecked()
    await expect(box('Trees').locator('svg')).toBeVisible()
    await expect(box('Sets').locator('svg')).toBeHidden()
  })
})

/** Returns the height of the window that fixed and sticky elements cover. */
const coveredHeight = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((each) => ['fixed', 'sticky'].includes(getComputedStyle(each).position) && each.checkVisibility())
      .map((each) => each.getBoundingClientRect())
      .map(({ top, bottom, width }) => (width < 100 ? 0 : Math.min(bottom, innerHeight) - Math.max(top, 0)))
      .reduce((sum, height) => sum + Math.max(0, height), 0),
  )

test('enlarged four times, the page has the window to itself', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 320, height: 256 })
  for (const path of ['/', '/login', '/register']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
  }
  const mia = await signIn()
  await uploadMany(mia, 25, uniqueCourseCode())
  for (const path of ['/browse', '/my-notes', '/upload', '/profile', '/']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
    // The navigation bar of index.html covers a loading page for a moment.
    await expect.poll(() => coveredHeight(page), path).toBeLessThanOrEqual(26)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
  }
  await page.goto('/my-notes')
  await expect(cards(page)).toHaveCount(24)
  await loadMore(page).focus()
  await expect(loadMore(page)).toBeInViewport({ ratio: 1 })
  await navLink(page, 'Upload').click()
  await expect(page).toHaveURL('/upload')
})

test('a word as long as it may be stays in its place on a phone', async ({ page, signIn, createStudent }) => {
  await page.setViewportSize({ width: 360, height: 640 })
  const [title, courseCode] = ['w'.repeat(200), `C${uniqueCourseCode()}`.padEnd(32, 'C')]
  await signIn({ role: 'moderator' })
  const { _id } = await shareNote(await createStudent(), title, { courseCode })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)

  await page.goto(`/moderation?note=${_id}`)
  await button(`Hide: ${title}`).click()
  await button('Close').click()
  await page.goto(`/notes/${_id}`)
  // An element that covered the button would receive the click.
  await button('Share').click({ trial: true })
  for (const path of [`/courses?q=${'x'.repeat(100)}`, `/browse?courseCode=${courseCode}`, `/courses/${courseCode}`]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(overflow, path).toBeLessThanOrEqual(0)
  }
  await page.goto('/browse?q="two+words"')
  await expect(page.getByRole('heading', { name: 'Results for "two words"', exact: true })).toBeVisible()
})
