import { expect, type Locator, type Page } from '@playwright/test'
import type { SharedNote } from './notes.ts'

export const fetchError = 'There was an error fetching your notes. Please try again.'
export const noteNotFoundMessage = 'This note does not exist or has been deleted.'

export const cards = (page: Page | Locator): Locator => page.getByRole('article')
/** The title links of all cards, in order. */
export const titles = (page: Page | Locator): Locator => cards(page).getByRole('heading').getByRole('link')
/** Locators inside a card are relative to it, so the title link does not include the parent of the cards. */
export const card = (of: Page | Locator, title: string): Locator =>
  cards(of).filter({ has: titleLink('page' in of ? of.page() : of, title) })
export const titleLink = (page: Page | Locator, title: string): Locator =>
  page.getByRole('link', { name: `${title} (opens in a new tab)`, exact: true })
export const likeButton = (of: Locator): Locator => of.getByRole('button', { name: /^Like \d/ })
export const dislikeButton = (of: Locator): Locator => of.getByRole('button', { name: /^Dislike \d/ })
/** The visible text of an empty list; the other copy is for screen readers. */
export const noNotesFound = (page: Page): Locator =>
  page.getByRole('main').getByText('No notes were found.', { exact: true }).and(page.locator(':not([role=status])'))
export const loadMore = (page: Page): Locator => page.getByRole('button', { name: 'Load More', exact: true })

/** Expects exactly these notes, in this order. */
export async function expectTitles(of: Page | Locator, expected: string[]): Promise<void> {
  await expect(titles(of)).toHaveText(expected.map((title) => `${title} (opens in a new tab)`))
}

/** Expects each of these notes once, in any order. */
export async function expectEachOnce(page: Page, notes: SharedNote[]): Promise<void> {
  await expect(titles(page)).toHaveCount(notes.length)
  const ids = await titles(page).evaluateAll((all) => all.map((each) => each.dataset.noteOpen))
  expect(new Set(ids)).toEqual(new Set(notes.map((note) => note._id)))
}

/** Expects that `act` opens a note in a new tab, which is closed once the file has loaded. */
export async function expectOpensNewTab(page: Page, act: () => Promise<void>): Promise<void> {
  const file = page.waitForResponse((response) => response.url().endsWith('/view'))
  const saved = page.waitForEvent('download')
  const shown = page.waitForEvent('popup').then(async (tab) => {
    // Chromium without a PDF reader downloads the file instead.
    await Promise.any([tab.waitForURL(/^blob:/), saved])
    return tab
  })
  await act()
  expect((await file).headers()['content-type']).toBe('application/pdf')
  await (await shown).close()
}
