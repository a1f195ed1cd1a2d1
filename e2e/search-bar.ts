import type { Locator, Page } from '@playwright/test'

/** Returns the fields of the search bar with this title. */
export function searchBar(page: Page, title = 'Search Notes') {
  const bar = page.getByRole('search', { name: title, exact: true })
  const fold = bar.getByRole('button', { name: /^Filters/ })
  return {
    bar,
    fold,
    /** Shows the fields, which are collapsed on a phone. */
    async unfold() {
      await bar.waitFor()
      if ((await fold.isVisible()) && (await fold.getAttribute('aria-expanded')) === 'false') await fold.click()
    },
    box: bar.getByLabel('Search inside notes', { exact: true }),
    title: bar.getByLabel('Title', { exact: true }),
    courseCode: bar.getByLabel('Course code', { exact: true }),
    academicYear: bar.getByLabel('Academic year', { exact: true }),
    instructor: bar.getByLabel('Instructor', { exact: true }),
    sortBy: bar.getByLabel('Sort by', { exact: true }),
    search: bar.getByRole('button', { name: 'Search', exact: true }),
    clear: bar.getByRole('link', { name: 'Clear filters', exact: true }),
  }
}

/** The search box in the navigation bar. */
export const barBox = (page: Page): Locator =>
  page.getByRole('search', { name: 'Search', exact: true }).getByLabel('Search inside notes', { exact: true })
