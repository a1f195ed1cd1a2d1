import { expect } from '@playwright/test'
import { test } from './test.ts'

test('a visitor sees what Lectern is', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Register' })).toBeVisible()
})
