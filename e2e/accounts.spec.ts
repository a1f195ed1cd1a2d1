import { expect, type Page } from '@playwright/test'
import {
  confirmInput,
  emailInput,
  expectFieldError,
  expectNoFieldError,
  logIn,
  main,
  newEmail,
  password,
  passwordInput,
  register,
  submitButton,
} from './forms.ts'
import { mockServerError } from './note-lists.ts'
import { test } from './test.ts'
import { toast, toasts } from './toasts.ts'

const fillAllFields = 'Please fill in all fields'
const invalidEmail = 'Please enter a valid email address'
const passwordsDiffer = 'Passwords do not match'
const weakPassword =
  'Password must be at least 10 characters long and contain at least one uppercase letter, one lowercase letter, one number, and one special character.'
const resetLinkInvalid = 'Reset link is invalid. Please request a new one.'
const somethingWentWrong = 'Something went wrong. Please try again later.'
const registered =
  'Registration successful! A verification link has been sent to your email. Please check your inbox to activate your account.'

/** Submits pairs of new passwords and expects the error of each rule. */
async function expectPasswordRules(page: Page) {
  const [first, second, button] = [passwordInput(page), confirmInput(page), submitButton(page, 'Register')]
  const send = async (one: string, two: string) => {
    await first.fill(one)
    await second.fill(two)
    await button.click()
    // Wait for the response: typing before it would already mark the field as wrong.
    await expect(button).not.toHaveAttribute('aria-busy', 'true')
  }
  await send('   ', password)
  await expectFieldError(first, fillAllFields)
  await expectNoFieldError(second)
  await send(password, `${password}?`)
  await expectFieldError(second, passwordsDiffer)
  await expectNoFieldError(first)
  await expect(toast(page, passwordsDiffer)).toBeVisible()
  await send('weak', 'different')
  await expectFieldError(first, weakPassword)
  await expectFieldError(second, passwordsDiffer)
  await send('weak', 'weak')
  await expectNoFieldError(second)
  await expect(toast(page, weakPassword)).toBeVisible()
}

async function expectToggle(page: Page, label: string) {
  const input = passwordInput(page, label)
  const id = await input.getAttribute('id')
  const toggle = page.locator(`button[aria-controls="${id}"]`)
  await input.fill('seen')
  await expect(input).toHaveAttribute('type', 'password')
  // A page with two password fields names the field on each toggle.
  const named = (what: string) => toggle.and(page.getByRole('button', { name: `${what} ${label}` }))
  await named('Show').click()
  await expect(input).toHaveAttribute('type', 'text')
  await expect(input).toHaveValue('seen')
  await named('Hide').click()
  await expect(input).toHaveAttribute('type', 'password')
  await input.fill('')
}

/** Expects that text typed in the middle stays in its place and becomes lower case. */
async function expectLowerCaseAsTyped(page: Page) {
  const input = emailInput(page)
  await input.pressSequentially('MiA@Uni.Example')
  await expect(input).toHaveValue('mia@uni.example')
  for (let n = 0; n < '@uni.example'.length; n++) await input.press('ArrowLeft')
  await input.pressSequentially('.LUND')
  await expect(input).toHaveValue('mia.lund@uni.example')
  await input.fill('')
}

test.describe('login', () => {
  test('shows the login form, with a lower-case email and a password toggle @phone', async ({ page }) => {
    await page.goto('/login')
    await expect(page.getByRole('heading', { level: 1, name: 'Login to Lectern' })).toBeVisible()
    await expect(page).toHaveTitle('Login · Lectern')
    await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute('href', '/forgot-password')
    await expect(main(page).getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')

    await expect(emailInput(page)).toHaveAttribute('autocomplete', 'username')
    await expect(emailInput(page)).toHaveAttribute('inputmode', 'email')
    await expect(emailInput(page)).toHaveAttribute('autocapitalize', 'none')
    await expect(emailInput(page)).toHaveAttribute('name', 'email')
    await expect(passwordInput(page)).toHaveAttribute('autocomplete', 'current-password')
    await expect(passwordInput(page)).toHaveAttribute('name', 'password')

    await expectLowerCaseAsTyped(page)
    await expectToggle(page, 'Password')
  })

  test('refuses blank fields before the server is asked', async ({ page }) => {
    const asked: string[] = []
    page.on('request', (request) => request.url().endsWith('/api/users/login') && asked.push(request.url()))
    await page.goto('/login')
    await submitButton(page, 'Login').click()
    await expectFieldError(emailInput(page), fillAllFields)
    await expectFieldError(passwordInput(page), fillAllFields)
    await expect(toast(page, fillAllFields)).toBeVisible()
    await expect(emailInput(page)).toBeFocused()

    await logIn(page, { email: 'mia@uni.example', password: '   ' })
    await expectNoFieldError(emailInput(page))
    await expectFieldError(passwordInput(page), fillAllFields)
    expect(asked).toEqual([])
  })

  test('shows why the server refused, and then logs the student in', async ({ page, createStudent }) => {
    const student = await createStudent({ name: 'Mia Lund' })
    await page.goto('/login')

    await test.step('a wrong password', async () => {
      await logIn(page, { ...student, password: 'Wrong desk 42!' })
      await expect(toast(page, 'Invalid email or password')).toBeVisible()
      await expect(main(page).getByText('Invalid email or password')).toBeVisible()
      await expect(emailInput(page)).toHaveValue(student.email)
      await expect(page).toHaveURL(/\/login$/)
    })

    await test.step('a failure without a reason', async () => {
      await mockServerError(page, /\/api\/users\/login$/, 'POST')
      await logIn(page, student)
      await expect(toast(page, somethingWentWrong)).toBeVisible()
      await expect(page.getByText('An error occurred')).toHaveCount(0)
      await page.unrouteAll()
    })

    await test.step('trims both and lower-cases the email', async () => {
      const sent = page.waitForRequest('**/api/users/login')
      await logIn(page, { email: `  ${student.email.toUpperCase()} `, password: `  ${student.password} ` })
      expect((await sent).postDataJSON()).toEqual({ email: student.email, password: student.password })
      await expect(page.getByRole('heading', { name: 'Welcome, Mia!' })).toBeVisible()
      await expect(page).toHaveURL(/\/$/)
    })
  })

  test('offers an unverified student the link again', async ({ page, request, lectern }) => {
    const email = await register(request, { name: 'Noor Haddad' })
    await lectern.readMailedLink(email)

    await page.goto('/login')
    await logIn(page, { email, password })
    await expect(toast(page, 'Please verify your email before logging in.')).toBeVisible()
    const answered = page.waitForResponse('**/api/users/verify/resend')
    await main(page).getByRole('button', { name: 'Resend verification email' }).click()
    expect((await answered).ok()).toBe(true)
    await expect(toast(page, 'If this account isn’t verified yet, a new link has been sent.')).toBeVisible()

    await page.goto(await lectern.readMailedLink(email))
    await main(page).getByRole('link', { name: 'Verify email' }).click()
    await expect(page.getByRole('heading', { name: 'Email Verified' })).toBeVisible()
    await page.getByRole('link', { name: 'Go now' }).click()
    await logIn(page, { email, password })
    await expect(page.getByRole('heading', { name: 'Welcome, Noor!' })).toBeVisible()
  })
})

test.describe('registration', () => {
  test('checks every rule, at the field and as a toast', async ({ page }) => {
    test.slow()
    const asked: string[] = []
    page.on('request', (request) => request.method() === 'POST' && asked.push(new URL(request.url()).pathname))
    await page.goto('/register')
    await expect(page).toHaveTitle('Register · Lectern')
    await expect(main(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
    const name = page.getByLabel('Name')
    const fields = [name, emailInput(page), passwordInput(page), confirmInput(page)]

    await test.step('attributes for keyboards and password managers', async () => {
      await expect(name).toHaveAttribute('autocomplete', 'name')
      await expect(emailInput(page)).toHaveAttribute('autocomplete', 'email')
      await expect(emailInput(page)).toHaveAttribute('inputmode', 'email')
      await expect(passwordInput(page)).toHaveAttribute('autocomplete', 'new-password')
      await expect(confirmInput(page)).toHaveAttribute('autocomplete', 'new-password')
      await expectLowerCaseAsTyped(page)
      await expectToggle(page, 'Password')
      await expectToggle(page, 'Confirm Password')
    })

    await test.step('all four fields are required', async () => {
      await submitButton(page, 'Register').click()
      for (const field of fields) await expectFieldError(field, fillAllFields)
      await expect(toast(page, fillAllFields)).toBeVisible()
      await expect(name).toBeFocused()
      await name.fill('   ')
      await submitButton(page, 'Register').click()
      await expectFieldError(name, fillAllFields)
      await name.fill('Mia Lund')
    })

    await test.step('a valid email', async () => {
      await passwordInput(page).fill(password)
      await confirmInput(page).fill(password)
      await emailInput(page).fill('mia lund@uni.example')
      await submitButton(page, 'Register').click()
      await expectFieldError(emailInput(page), invalidEmail)
      await expect(toast(page, invalidEmail)).toBeVisible()
      await expectNoFieldError(name)
      await emailInput(page).fill(newEmail())
    })

    await test.step('a strong password, twice the same', () => expectPasswordRules(page))
    expect(asked.filter((path) => path === '/api/users/')).toEqual([])
    await expect(page).toHaveURL(/\/register$/)
  })

  test('shows what the server refuses, then registers and opens the login', async ({ page, lectern }) => {
    const email = newEmail()
    await page.goto('/register')
    await page.getByLabel('Name').fill('  Mia Lund ')
    await emailInput(page).fill(` ${email.toUpperCase()} `)
    const type = async (text: string) => {
      await passwordInput(page).fill(text)
      await confirmInput(page).fill(text)
    }

    await test.step('a common password', async () => {
      await type('Password123!')
      await submitButton(page, 'Register').click()
      const common = 'This password is too easy to guess. Avoid common passwords and your own name.'
      await expect(toast(page, common)).toBeVisible()
      await expectFieldError(passwordInput(page), common)
    })

    await test.step('success, with everything trimmed', async () => {
      await type(`  ${password} `)
      const sent = page.waitForRequest('**/api/users/')
      await submitButton(page, 'Register').click()
      expect((await sent).postDataJSON()).toEqual({
        name: 'Mia Lund',
        email,
        password,
        confirmPassword: password,
      })
      await expect(toast(page, registered)).toBeVisible()
      await expect(page).toHaveURL(/\/login$/)
      await expect(main(page).getByRole('status')).toContainText(email)
      await expect(emailInput(page)).toHaveValue(email)
      // Registering does not log the user in.
      await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0)
      expect(await lectern.readMailedLink(email)).toContain('/verify?token=')
    })
  })
})

test.describe('forgotten password', () => {
  test('mails a link, sets a new password @smoke', async ({ page, lectern, createStudent }) => {
    test.slow()
    const student = await createStudent({ name: 'Mia Lund' })
    const next = 'Lamp and desk 43!'

    await test.step('the email is required and must be valid', async () => {
      await page.goto('/forgot-password')
      await expect(page).toHaveTitle('Forgot Password · Lectern')
      await expect(main(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
      await expect(emailInput(page)).toHaveAttribute('autocomplete', 'email')
      await expectLowerCaseAsTyped(page)
      await submitButton(page, 'Send Reset Link').click()
      await expectFieldError(emailInput(page), 'Please enter your email.')
      await expect(toast(page, 'Please enter your email.')).toBeVisible()
      await emailInput(page).fill('mia')
      await submitButton(page, 'Send Reset Link').click()
      await expectFieldError(emailInput(page), invalidEmail)
      await expect(toast(page, invalidEmail)).toBeVisible()
    })

    await test.step('the link is mailed', async () => {
      const sent = page.waitForRequest('**/api/users/forgot-password')
      await emailInput(page).fill(` ${student.email.toUpperCase()}`)
      await submitButton(page, 'Send Reset Link').click()
      expect((await sent).postDataJSON()).toEqual({ email: student.email })
      await expect(toast(page, 'If this email is registered, a reset link has been sent.')).toBeVisible()
      await expect(page).toHaveURL(/\/login$/)
      const notice = `If ${student.email} is registered, a reset link is on its way. It expires in 1 hour. If you got more than one email, use the latest.`
      await expect(main(page).getByRole('status')).toHaveText(notice)
      await expect(emailInput(page)).toHaveValue(student.email)
      // The notice stays after the toast has been closed.
      const confirmation = toasts(page).getByRole('listitem').filter({ hasText: 'a reset link has been sent' })
      await confirmation.getByRole('button', { name: /close/i }).click()
      await expect(toast(page, 'If this email is registered, a reset link has been sent.')).toHaveCount(0)
      await expect(main(page).getByRole('status')).toHaveText(notice)
      await expect.poll(() => lectern.readMailedLink(student.email)).toContain('/reset-password?token=')
    })

    await test.step('the new password keeps the rules', async () => {
      await page.goto(await lectern.readMailedLink(student.email))
      await expect(page).toHaveTitle('Reset Password · Lectern')
      await expect(passwordInput(page, 'New Password')).toHaveAttribute('autocomplete', 'new-password')
      // The token is removed from the address bar, where others could see it.
      await expect(page).toHaveURL(/\/reset-password$/)
      await submitButton(page, 'Reset Password').click()
      await expectFieldError(passwordInput(page, 'New Password'), fillAllFields)
      await expectFieldError(confirmInput(page), fillAllFields)
      await expect(toast(page, fillAllFields)).toBeVisible()
    })

    await test.step('success', async () => {
      await passwordInput(page, 'New Password').fill(next)
      await confirmInput(page).fill(next)
      await submitButton(page, 'Reset Password').click()
      await expect(toast(page, 'Password reset successful!')).toBeVisible()
      await expect(page).toHaveURL(/\/login$/)
      await logIn(page, { email: student.email, password: next })
      await expect(page.getByRole('heading', { name: 'Welcome, Mia!' })).toBeVisible()
    })
  })

  test('a link without a token or with a wrong one leads back to asking for it', async ({ page }) => {
    await page.goto('/reset-password')
    await expect(toast(page, resetLinkInvalid)).toBeVisible()
    await expect(page).toHaveURL(/\/forgot-password$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot Password')

    await page.goto('/reset-password?token=nobody-has-this-one')
    await passwordInput(page, 'New Password').fill(password)
    await confirmInput(page).fill(password)
    await expect(toast(page, resetLinkInvalid)).toHaveCount(0)
    await submitButton(page, 'Reset Password').click()
    await expect(toast(page, resetLinkInvalid)).toBeVisible()
    await expect(page).toHaveURL(/\/forgot-password$/)
  })
})

test('a signed-in user is redirected home from the pages for visitors', async ({ page, mia }) => {
  for (const path of ['/login', '/register', '/forgot-password', '/reset-password', '/reset-password?token=x']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Welcome, Mia!' })).toBeVisible()
    await expect(page).toHaveURL(/:\d+\/$/)
    await expect(toast(page, resetLinkInvalid)).toHaveCount(0)
  }
})

test('the login returns to the page that required it, and nowhere else', async ({ page, createStudent }) => {
  const student = await createStudent({ name: 'Mia Lund' })
  for (const path of ['/my-notes', '/liked-notes', '/upload', '/profile', '/browse']) {
    await page.goto(path)
    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(path)}`)
    await expect(page.getByRole('heading', { name: 'Login to Lectern' })).toBeVisible()
  }

  await page.goto('/browse?courseCode=CS101&sortBy=likes')
  await expect(page).toHaveURL(`/login?next=${encodeURIComponent('/browse?courseCode=CS101&sortBy=likes')}`)
  await logIn(page, student)
  await expect(page.getByRole('heading', { name: 'Browse Notes' })).toBeVisible()
  await expect(page).toHaveURL('/browse?courseCode=CS101&sortBy=likes')

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto('/login?next=%2F%2Fevil.example%2Fbrowse')
  await logIn(page, student)
  await expect(page.getByRole('heading', { name: 'Welcome, Mia!' })).toBeVisible()
  await expect(page).toHaveURL(/:\d+\/$/)
})
