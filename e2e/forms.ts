import { randomBytes } from 'node:crypto'
import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test'
import { button, heading, main } from './page.ts'

/** The password of every student. */
export const password = 'Marigold desk 42!'

export const registered =
  'Registration successful! A verification link has been sent to your email. Please check your inbox to activate your account.'

export const newEmail = (): string => `student.${randomBytes(5).toString('hex')}@uni.example`

export const emailInput = (page: Page): Locator => page.getByLabel('Email')
export const passwordInput = (page: Page, label = 'Password'): Locator => page.getByLabel(label, { exact: true })
export const confirmInput = (page: Page): Locator => passwordInput(page, 'Confirm Password')

/** The form's button, not the link with the same name in the navigation bar. */
export const submitButton = (page: Page, name: string): Locator => main(page).getByRole('button', { name, exact: true })

/**
 * Registers as the form does.
 * @returns the email address, which is not verified yet.
 */
export async function register(
  request: APIRequestContext,
  { name, email = newEmail(), typed = password }: { name: string; email?: string; typed?: string },
): Promise<string> {
  const response = await request.post('/api/users/', { data: { name, email, password: typed, confirmPassword: typed } })
  expect(response.status()).toBe(201)
  return email
}

/** Fills in a new password and its confirmation. */
export async function fillNewPassword(page: Page, typed: string, label = 'New Password'): Promise<void> {
  await passwordInput(page, label).fill(typed)
  await confirmInput(page).fill(typed)
}

/** Fills in the password of a student, which the dialog or form asks for, and submits it. */
export async function confirmWithPassword(form: Locator, action: string): Promise<void> {
  await form.getByLabel('Password', { exact: true }).fill(password)
  await button(form, action).click()
}

/** Fills in the visible registration form and submits it. */
export async function fillRegistration(
  page: Page,
  { name = 'Mia Lund', email, typed = password }: { name?: string; email: string; typed?: string },
): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await emailInput(page).fill(email)
  await fillNewPassword(page, typed, 'Password')
  await submitButton(page, 'Register').click()
}

/** Fills in the visible login form and submits it, and waits for the page with this title, if one is given. */
export async function logIn(
  page: Page,
  { email, password }: { email: string; password: string },
  title?: string,
): Promise<void> {
  await emailInput(page).fill(email)
  await passwordInput(page).fill(password)
  await submitButton(page, 'Login').click()
  if (title) await expect(heading(page, title)).toBeVisible()
}

/** Expects that the input is marked as invalid and described by this text. */
export async function expectFieldError(input: Locator, text: string): Promise<void> {
  await expect(input).toHaveAttribute('aria-invalid', 'true')
  await expect(input).toHaveAccessibleDescription(new RegExp(`^${RegExp.escape(text)}`))
}

export async function expectNoFieldError(input: Locator): Promise<void> {
  await expect(input).not.toHaveAttribute('aria-invalid', 'true')
}
