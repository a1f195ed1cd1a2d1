import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@playwright/test'
import { register } from './forms.ts'
import { test } from './test.ts'

test('the outbox shows a mail as a mail program does, beside its text, and its button works @smoke', async ({
  page,
  context,
  lectern,
  request,
  consoleErrors,
}) => {
  const email = await register(request, { name: 'Mia Sofie Lund' })
  await lectern.readMailedLink(email)
  await page.goto(`/dev/outbox?to=${encodeURIComponent(email)}`)
  const mail = page.getByRole('article').filter({ hasText: email })
  await expect(mail.getByText(/^Hello Mia,/)).toBeVisible()
  const shown = mail.frameLocator('iframe')
  const button = shown.getByRole('link', { name: 'Verify my email' })
  await expect(shown.getByText('Hello Mia,', { exact: true })).toBeVisible()
  await expect(shown.getByText('The link works for 24 hours.')).toBeVisible()

  await test.step('in both themes, with its own colours, and no wider than the screen', async () => {
    await expect(button).toHaveCSS('color', 'rgb(21, 31, 63)')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(shown.locator('body')).toHaveCSS('background-color', 'rgb(245, 241, 231)')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(shown.locator('body')).toHaveCSS('background-color', 'rgb(13, 18, 30)')
    expect(await shown.locator('html').evaluate((root) => root.scrollWidth - root.clientWidth)).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' '))])).toEqual([])
  })

  const opened = context.waitForEvent('page')
  await button.click()
  await expect((await opened).getByRole('heading', { level: 1, name: 'Email Verification' })).toBeVisible()
  // What the test itself runs in the frame is refused, as everything is; of that the browser tells.
  const told = consoleErrors.splice(0)
  expect(told.filter((text) => !/^Blocked script execution in '[^']*\/dev\/outbox\//.test(text))).toEqual([])
})
