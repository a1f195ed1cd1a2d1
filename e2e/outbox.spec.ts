import { AxeBuilder } from '@axe-core/playwright'
import { expect } from '@playwright/test'
import { register } from './forms.ts'
import { test } from './test.ts'

test('the outbox shows emails as text with working links, and as HTML @smoke', async ({ page, lectern, request }) => {
  const email = await register(request, { name: 'Mia Sofie Lund' })
  await lectern.readMailedLink(email)
  const address = `/dev/outbox?to=${encodeURIComponent(email)}`
  await page.goto(address)
  const mail = page.getByRole('article').filter({ hasText: email })
  await expect(mail.getByText(/^Hello Mia,/)).toBeVisible()

  await test.step('in both themes, with its own colours, and no wider than the screen', async () => {
    const url = await mail.getByRole('link', { name: 'HTML version' }).getAttribute('href')
    const html = await (await request.get(url ?? '')).text()
    await page.goto('about:blank')
    await page.setContent(html)
    await expect(page.getByText('The link expires in 24 hours.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Verify email' })).toHaveCSS('color', 'rgb(21, 31, 63)')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(245, 241, 231)')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(13, 18, 30)')
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa']).setLegacyMode(true).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' '))])).toEqual([])
  })

  await page.goto(address)
  await mail.getByRole('link', { name: '/verify?' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Email Verification' })).toBeVisible()
})
