import type { Locator, Page } from '@playwright/test'

/** The region that toasts appear in; its name tells its hotkey. */
export const toasts = (page: Page): Locator => page.getByRole('region', { name: /Notifications/ })

/** A toast that says exactly this. */
export const toast = (page: Page, text: string): Locator => toasts(page).getByText(text, { exact: true })
