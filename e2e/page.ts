import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'

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
export const dialog = (page: Page): Locator => page.getByRole('dialog')
export const region = (of: Page | Locator, name: string | RegExp): Locator =>
  of.getByRole('region', { name, exact: true })
export const heading = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('heading', { level: 1, name, exact: true })

export const navLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation').getByRole('link', { name, exact: true })
