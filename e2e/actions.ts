import { expect, type Locator, type Page } from '@playwright/test'
import { heading, navLink, toast } from './page.ts'

/** Opens a page and waits until its heading is visible. */
export async function open(page: Page, path: string, title: string | RegExp): Promise<void> {
  await page.goto(path)
  await expect(heading(page, title)).toBeVisible()
}

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

/** Answers the question that the browser asks before it discards what `act` would lose, and returns the question. */
export async function answerQuestion(page: Page, answer: 'accept' | 'dismiss', act: () => Promise<unknown>) {
  const asked = page.waitForEvent('dialog')
  const [question] = await Promise.all([asked.then((dialog) => dialog[answer]().then(() => dialog)), act()])
  return question
}

/** Goes back as the user does; `page.goBack` would wait until a question is answered. */
export const pressBack = (page: Page): Promise<void> => page.evaluate(() => history.back())

/** Follows a link of the navigation bar and waits for its page. */
export const follow = (page: Page, name: string, title: string): Promise<void> => clickTo(navLink(page, name), title)

/** Types into an empty or filled field and presses Enter. */
export async function enter(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.press('Enter')
}
