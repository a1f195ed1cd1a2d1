import { expect, type Page } from '@playwright/test'
import { logIn } from './forms.ts'
import { cards, heading, loadMore } from './note-lists.ts'
import { uniqueCourseCode, uploadMany } from './notes.ts'
import { test } from './test.ts'

const scrollPlace = (page: Page) => page.evaluate(() => Math.round(window.scrollY))

/** The router restores the position once the page is high enough. */
const expectScrollPlace = (page: Page, y: number) => expect.poll(() => scrollPlace(page)).toBe(y)

/** Waits for the position, because the router saves it when the page is left. */
async function scrollTo(page: Page, y: number) {
  await page.evaluate((top) => window.scrollTo(0, top), y)
  await expectScrollPlace(page, y)
}

test('an address that is typed begins at the top, and going back finds the place @phone', async ({ page, mia }) => {
  const courseCode = uniqueCourseCode()
  await uploadMany(mia, 12, courseCode)
  await page.goto('/my-notes')
  await expect(cards(page)).toHaveCount(12)
  await scrollTo(page, 600)
  await page.goto(`/browse?courseCode=${courseCode}`)
  await expect(cards(page)).toHaveCount(12)
  await expectScrollPlace(page, 0)
  await page.goBack()
  await expect(heading(page, 'My Notes')).toBeAttached()
  await expect(cards(page)).toHaveCount(12)
  await expectScrollPlace(page, 600)
})

test('a reload shows as many notes as before, at the same place', async ({ page, mia }) => {
  const courseCode = uniqueCourseCode()
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

  // Typing the same address is a new visit.
  await page.goto(`/browse?courseCode=${courseCode}&sortBy=likes`)
  await expect(cards(page)).toHaveCount(24)
  await page.goto(`/browse?courseCode=${courseCode}`)
  await expect(cards(page)).toHaveCount(24)
  await expectScrollPlace(page, 0)
})

test('how far a list was loaded is not another list’s matter, after a login', async ({ page, context, mia }) => {
  const courseCode = uniqueCourseCode()
  await uploadMany(mia, 30, courseCode)
  await page.goto(`/browse?courseCode=${courseCode}`)
  await loadMore(page).click()
  await expect(cards(page)).toHaveCount(30)
  expect((await context.request.post('/api/users/logout')).status()).toBe(204)
  await page.reload()
  await expect(page).toHaveURL(/^[^?]*\/login/)
  // The links in the bar do not react while a page is loading.
  await page.getByRole('link', { name: 'Lectern' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: /Study notes/ })).toBeVisible()
  await page.getByRole('link', { name: 'Login', exact: true }).first().click()
  await logIn(page, mia)
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible()
  await page.getByRole('link', { name: 'My Notes', exact: true }).first().click()
  await expect(heading(page, 'My Notes')).toBeVisible()
  await expect(cards(page)).toHaveCount(24)
})
