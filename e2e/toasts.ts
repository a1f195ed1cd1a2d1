import type { Locator, Page } from '@playwright/test'

/** The region of the toasts; its name includes its hotkey. */
export const toasts = (page: Page): Locator => page.getByRole('region', { name: /Notifications/ })

/** A toast with exactly this text. */
export const toast = (page: Page, text: string): Locator => toasts(page).getByText(text, { exact: true })
