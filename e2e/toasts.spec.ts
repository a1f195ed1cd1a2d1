import { expect, type Locator } from '@playwright/test'
import { confirmInput, emailInput, main, passwordInput, submitButton } from './forms.ts'
import { test } from './test.ts'
import { toast, toasts } from './toasts.ts'

test('a toast is top right, is announced, is reached with Alt+T and closes after 5 seconds', async ({ page }) => {
  await page.clock.install({ time: '2026-11-21T09:00:00Z' })
  await page.goto('/login')
  await expect(emailInput(page)).toBeVisible()
  await page.clock.pauseAt('2026-11-21T10:00:00Z')
  const message = toast(page, 'Please fill in all fields')
  /** Advances the fake clock until the toast is visible, because toasts also move by timers. */
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
  // A focused toast does not disappear.
  await page.clock.runFor(20_000)
  await expect(message).toBeVisible()
  const outline = (of: Locator) => of.evaluate((element) => getComputedStyle(element).outlineStyle)
  for (const part of [toasts(page).getByRole('listitem'), toasts(page).getByRole('button', { name: /close/i })]) {
    await page.keyboard.press('Tab')
    await expect(part).toBeFocused()
    expect(await outline(part)).toBe('solid')
  }
  await page.keyboard.press('Enter')
  await page.clock.runFor(1_000)
  await expect(message).toHaveCount(0)
  await expect(main(page)).toBeVisible()
})

/** Returns the vertical distance between the bottom of one box and the top of another. */
const gapBetween = async (upper: Locator, lower: Locator) => {
  const [above, below] = [await upper.boundingBox(), await lower.boundingBox()]
  return (below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0))
}

test.describe('on a phone a toast', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('leaves heading and notice to be read, and stays within the screen', async ({ page, createStudent }) => {
    const { email } = await createStudent()
    const shown = toasts(page).getByRole('listitem')
    const expectWithin = async () => {
      const box = await toasts(page).getByRole('list').boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    }
    const heading = page.getByRole('heading', { level: 1 })

    await page.goto('/register')
    await page.getByLabel('Name').fill('Mia Lund')
    await emailInput(page).fill(email)
    await passwordInput(page).fill('weak')
    await confirmInput(page).fill('weak')
    await submitButton(page, 'Register').click()
    await expect(shown).toHaveAttribute('data-mounted', 'true')
    // A toast stays while the pointer is over it.
    await shown.hover()
    await page.evaluate(() => scrollTo(0, 0))
    await expect.poll(() => gapBetween(shown, heading)).toBeGreaterThanOrEqual(0)
    await expectWithin()

    await page.goto('/forgot-password')
    await submitButton(page, 'Send Reset Link').click()
    await expect(toast(page, 'Please enter your email.')).toBeVisible()
    await emailInput(page).fill(email)
    await submitButton(page, 'Send Reset Link').click()
    await expect(toast(page, 'If this email is registered, a reset link has been sent.')).toBeVisible()
    // The earlier error toast is removed and not visible behind this one.
    await expect(shown).toHaveCount(1)
    await shown.hover()
    await expect(heading).toHaveText('Login to Lectern')
    await expect.poll(() => gapBetween(shown, heading)).toBeGreaterThanOrEqual(0)
    expect(await gapBetween(shown, main(page).getByRole('status'))).toBeGreaterThan(0)
    await expectWithin()
  })
})
