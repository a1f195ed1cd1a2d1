import { expect } from '@playwright/test'
import { emailInput, main, passwordInput, submitButton } from './forms.ts'
import { test } from './test.ts'
import { toast, toasts } from './toasts.ts'

test('a toast stands top right, is read out, is reached with Alt+T and leaves after 5 seconds', async ({ page }) => {
  await page.clock.install({ time: '2026-11-21T09:00:00Z' })
  await page.goto('/login')
  await expect(emailInput(page)).toBeVisible()
  await page.clock.pauseAt('2026-11-21T10:00:00Z')
  const message = toast(page, 'Please fill in all fields')
  /** Toasts move by timers, too: a few milliseconds at a time, until this one is there. */
  const press = async () => {
    await submitButton(page, 'Login').click()
    await expect
      .poll(async () => {
        await page.clock.runFor(20)
        return message.isVisible()
      })
      .toBe(true)
  }

  await press()
  await expect(toasts(page)).toHaveAttribute('aria-live', 'polite')
  const box = await toasts(page).getByRole('listitem').boundingBox()
  const { width } = page.viewportSize() ?? { width: 0 }
  expect(box?.x).toBeGreaterThan(width / 2)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(width - 40)
  expect(box?.y).toBeLessThan(120)
  await page.clock.runFor(4_000)
  await expect(message).toBeVisible()
  await page.clock.runFor(1_500)
  await expect(message).toHaveCount(0)

  await press()
  await passwordInput(page).focus()
  await page.keyboard.press('Alt+t')
  await expect(toasts(page).getByRole('list')).toBeFocused()
  // Whoever reads it has time.
  await page.clock.runFor(20_000)
  await expect(message).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(toasts(page).getByRole('button', { name: /close/i })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.clock.runFor(1_000)
  await expect(message).toHaveCount(0)
  await expect(main(page)).toBeVisible()
})
