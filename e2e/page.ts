import { randomBytes } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'

/** Returns a course without notes of other journeys, so that lists of it are exact. */
export const uniqueCourseCode = (): string => `C${randomBytes(4).toString('hex').toUpperCase()}`

export const main = (page: Page): Locator => page.getByRole('main')

/** The region of the toasts; its name includes its hotkey. */
export const toasts = (page: Page): Locator => page.getByRole('region', { name: /Notifications/ })

/** A toast with exactly this text. */
export const toast = (page: Page, text: string): Locator => toasts(page).getByText(text, { exact: true })

/** The button with exactly this name. */
export const button = (of: Page | Locator, name: string | RegExp): Locator =>
  of.getByRole('button', { name, exact: true })
export const region = (of: Page | Locator, name: string): Locator => of.getByRole('region', { name, exact: true })
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true })

/** Opens a page and waits until its heading is visible. */
export async function open(page: Page, path: string, title: string | RegExp): Promise<void> {
  await page.goto(path)
  await expect(heading(page, title)).toBeVisible()
}

export const navLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation').getByRole('link', { name, exact: true })

/** Clicks a link or button and waits for the page with this title. */
export async function clickTo(link: Locator, title: string): Promise<void> {
  await link.click()
  await expect(heading(link.page(), title)).toBeVisible()
}

/** Clicks and waits for a toast with exactly this text. */
export async function clickForToast(on: Locator, text: string): Promise<void> {
  await on.click()
  await expect(toast(on.page(), text)).toBeVisible()
}

/** Follows a link of the navigation bar and waits for its page. */
export const follow = (page: Page, name: string, title: string): Promise<void> => clickTo(navLink(page, name), title)

/** Types into an empty or filled field and presses Enter. */
export async function enter(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.press('Enter')
}
