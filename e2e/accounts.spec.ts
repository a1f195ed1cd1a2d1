import { expect, type Page } from '@playwright/test'
import { findViolations } from './accessible.ts'
import { clickForToast, clickTo, open } from './actions.ts'
import { expireLink } from './database.ts'
import {
  confirmInput,
  emailInput,
  expectFieldError,
  expectNoFieldError,
  fillNewPassword,
  fillRegistration,
  logIn,
  newEmail,
  password,
  passwordInput,
  register,
  registered,
  submitButton,
} from './forms.ts'
import { heading, main, toast, toasts } from './page.ts'
import { holdRequests, listCalls, mockServerError } from './requests.ts'
import { test } from './test.ts'

const fillAllFields = 'Please fill in all fields'
const invalidEmail = 'Please enter a valid email address'
const passwordsDiffer = 'Passwords do not match'
const weakPassword =
  'Password must be at least 10 characters long and contain at least one uppercase letter, one lowercase letter, one number, and one special character.'
const resetLinkInvalid = 'Reset link is invalid. Please request a new one.'

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

test('the login form refuses blank fields, shows why the server refused, and logs in @phone', async ({
  page,
  createStudent,
}) => {
  const student = await createStudent({ name: 'Mia Lund' })
  const asked = listCalls(page, /^\/api\/users\/login$/)
  await open(page, '/login', 'Login to Lectern')
  await expect(page).toHaveTitle('Login · Lectern')
  await expect(page.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute('href', '/forgot-password')
  await expect(main(page).getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')

  await expect(emailInput(page)).toHaveAttribute('autocomplete', 'username')
  await expect(emailInput(page)).toHaveAttribute('inputmode', 'email')
  await expect(emailInput(page)).toHaveAttribute('autocapitalize', 'none')
  await expect(emailInput(page)).toHaveAttribute('name', 'email')
  await expect(passwordInput(page)).toHaveAttribute('autocomplete', 'current-password')
  await expect(passwordInput(page)).toHaveAttribute('name', 'password')

  // Text typed in the middle stays in its place and becomes lower case.
  const email = emailInput(page)
  await email.pressSequentially('MiA@Uni.Example')
  await expect(email).toHaveValue('mia@uni.example')
  for (let n = 0; n < '@uni.example'.length; n++) await email.press('ArrowLeft')
  await email.pressSequentially('.LUND')
  await expect(email).toHaveValue('mia.lund@uni.example')
  await email.fill('')
  await expectToggle(page, 'Password')

  // Blank fields are refused before the server is asked.
  await clickForToast(submitButton(page, 'Login'), fillAllFields)
  await expectFieldError(emailInput(page), fillAllFields)
  await expectFieldError(passwordInput(page), fillAllFields)
  await expect(emailInput(page)).toBeFocused()

  await logIn(page, { email: 'mia@uni.example', password: '   ' })
  await expectNoFieldError(emailInput(page))
  await expectFieldError(passwordInput(page), fillAllFields)
  expect(asked).toEqual([])

  await logIn(page, { ...student, password: 'Wrong desk 42!' })
  await expect(toast(page, 'Invalid email or password')).toBeVisible()
  await expect(main(page).getByText('Invalid email or password')).toBeVisible()
  await expect(emailInput(page)).toHaveValue(student.email)
  await expect(page).toHaveURL(/\/login$/)

  await mockServerError(page, /\/api\/users\/login$/, 'POST')
  await logIn(page, student)
  await expect(toast(page, 'Something went wrong. Please try again later.')).toBeVisible()
  await expect(page.getByText('An error occurred')).toHaveCount(0)
  await page.unrouteAll()

  // Trims both and lower-cases the email.
  const sent = page.waitForRequest('**/api/users/login')
  await logIn(page, { email: `  ${student.email.toUpperCase()} `, password: `  ${student.password} ` }, 'Welcome, Mia!')
  expect((await sent).postDataJSON()).toEqual({ email: student.email, password: student.password })
  await expect(page).toHaveURL(/\/$/)
})

test('the login offers an unverified student the link again', async ({ page, request, lectern }) => {
  const email = await register(request, { name: 'Noor Haddad' })
  await lectern.readMailedLink(email)

  await page.goto('/login')
  await logIn(page, { email, password })
  await expect(toast(page, 'Please verify your email before logging in.')).toBeVisible()
  const answered = page.waitForResponse('**/api/users/verify/resend')
  const resend = main(page).getByRole('button', { name: 'Resend verification email' })
  await clickForToast(resend, 'If this account isn’t verified yet, a new link has been sent.')
  expect((await answered).ok()).toBe(true)
})

test('the registration checks every rule, then shows what the server refuses', async ({ page, lectern }) => {
  const asked = listCalls(page, /^\/api\/users\/$/)
  await page.goto('/register')
  await expect(page).toHaveTitle('Register · Lectern')
  await expect(main(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
  const name = page.getByLabel('Name')
  const fields = [name, emailInput(page), passwordInput(page), confirmInput(page)]

  // Attributes for keyboards and password managers.
  await expect(name).toHaveAttribute('autocomplete', 'name')
  await expect(emailInput(page)).toHaveAttribute('autocomplete', 'email')
  await expect(emailInput(page)).toHaveAttribute('inputmode', 'email')
  await expect(passwordInput(page)).toHaveAttribute('autocomplete', 'new-password')
  await expect(confirmInput(page)).toHaveAttribute('autocomplete', 'new-password')
  await expectToggle(page, 'Confirm Password')

  await clickForToast(submitButton(page, 'Register'), fillAllFields)
  for (const field of fields) await expectFieldError(field, fillAllFields)
  await expect(name).toBeFocused()
  await name.fill('Mia Lund')

  await fillNewPassword(page, password, 'Password')
  await emailInput(page).fill('mia lund@uni.example')
  await clickForToast(submitButton(page, 'Register'), invalidEmail)
  await expectFieldError(emailInput(page), invalidEmail)
  await expectNoFieldError(name)
  await emailInput(page).fill(newEmail())

  const [first, second, button] = [passwordInput(page), confirmInput(page), submitButton(page, 'Register')]
  const send = async (one: string, two: string) => {
    await first.fill(one)
    await second.fill(two)
    await button.click()
    // Wait for the response: typing before it would already mark the field as wrong.
    await expect(button).not.toHaveAttribute('aria-busy', 'true')
  }
  await send(password, `${password}?`)
  await expectFieldError(second, passwordsDiffer)
  await expectNoFieldError(first)
  await expect(toast(page, passwordsDiffer)).toBeVisible()
  await send('weak', 'weak')
  await expectFieldError(first, weakPassword)
  await expectNoFieldError(second)
  await expect(toast(page, weakPassword)).toBeVisible()
  expect(asked).toEqual([])
  await expect(page).toHaveURL(/\/register$/)
  const email = newEmail()
  const typedEmail = ` ${email.toUpperCase()} `

  await fillRegistration(page, { email: typedEmail, typed: 'Password123!' })
  const common = 'This password is too easy to guess. Avoid common passwords and your own name.'
  await expect(toast(page, common)).toBeVisible()
  await expectFieldError(passwordInput(page), common)

  const sent = page.waitForRequest('**/api/users/')
  await fillRegistration(page, { name: '  Mia Lund ', email: typedEmail, typed: `  ${password} ` })
  expect((await sent).postDataJSON()).toEqual({ name: 'Mia Lund', email, password, confirmPassword: password })
  await expect(toast(page, registered)).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  await expect(main(page).getByRole('status')).toContainText(email)
  await expect(emailInput(page)).toHaveValue(email)
  // Registering does not log the user in.
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0)
  expect(await lectern.readMailedLink(email)).toContain('/verify?token=')
})

test('the form for a forgotten password mails a link @smoke', async ({ page, lectern, createStudent }) => {
  const student = await createStudent({ name: 'Mia Lund' })
  const next = 'Lamp and desk 43!'
  const mailed = 'If this email is registered, a reset link has been sent.'

  // The email is required.
  await page.goto('/forgot-password')
  await expect(page).toHaveTitle('Forgot Password · Lectern')
  await expect(main(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
  await expect(emailInput(page)).toHaveAttribute('autocomplete', 'email')
  await clickForToast(submitButton(page, 'Send Reset Link'), 'Please enter your email.')
  await expectFieldError(emailInput(page), 'Please enter your email.')

  const sent = page.waitForRequest('**/api/users/forgot-password')
  await emailInput(page).fill(` ${student.email.toUpperCase()}`)
  await clickForToast(submitButton(page, 'Send Reset Link'), mailed)
  expect((await sent).postDataJSON()).toEqual({ email: student.email })
  await expect(page).toHaveURL(/\/login$/)
  const notice = `If ${student.email} is registered, a reset link is on its way. It expires in 1 hour. If you got more than one email, use the latest.`
  await expect(main(page).getByRole('status')).toHaveText(notice)
  await expect(emailInput(page)).toHaveValue(student.email)
  // The notice stays after the toast has been closed.
  const confirmation = toasts(page).getByRole('listitem').filter({ hasText: 'a reset link has been sent' })
  await confirmation.getByRole('button', { name: /close/i }).click()
  await expect(toast(page, mailed)).toHaveCount(0)
  await expect(main(page).getByRole('status')).toHaveText(notice)
  await expect.poll(() => lectern.readMailedLink(student.email)).toContain('/reset-password?token=')

  // The new password keeps the rules.
  await page.goto(await lectern.readMailedLink(student.email))
  await expect(page).toHaveTitle('Reset Password · Lectern')
  await expect(passwordInput(page, 'New Password')).toHaveAttribute('autocomplete', 'new-password')
  // The token is removed from the address bar, where others could see it.
  await expect(page).toHaveURL(/\/reset-password$/)
  await clickForToast(submitButton(page, 'Reset Password'), fillAllFields)
  await expectFieldError(passwordInput(page, 'New Password'), fillAllFields)
  await expectFieldError(confirmInput(page), fillAllFields)

  await fillNewPassword(page, next)
  await clickForToast(submitButton(page, 'Reset Password'), 'Password reset successful!')
  await expect(page).toHaveURL(/\/login$/)
  await logIn(page, { email: student.email, password: next }, 'Welcome, Mia!')
})

test('a reset link without a token or with a wrong one leads back to asking for it', async ({ page }) => {
  await page.goto('/forgot-password?next=/browse')
  await emailInput(page).fill(newEmail())
  await clickTo(submitButton(page, 'Send Reset Link'), 'Login to Lectern')
  await page.goto('/reset-password')
  await expect(toast(page, resetLinkInvalid)).toBeVisible()
  await expect(page).toHaveURL('/forgot-password?next=%2Fbrowse')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Forgot Password')

  await page.goto('/reset-password?token=nobody-has-this-one')
  await expect(main(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login?next=%2Fbrowse')
  await fillNewPassword(page, password)
  await expect(toast(page, resetLinkInvalid)).toHaveCount(0)
  await clickForToast(submitButton(page, 'Reset Password'), resetLinkInvalid)
  await expect(page).toHaveURL('/forgot-password?next=%2Fbrowse')
})

test('a signed-in user is redirected home from the pages for visitors', async ({ page, mia }) => {
  for (const path of ['/login', '/register', '/forgot-password', '/reset-password', '/reset-password?token=x']) {
    await open(page, path, 'Welcome, Mia!')
    await expect(page).toHaveURL(/:\d+\/$/)
    await expect(toast(page, resetLinkInvalid)).toHaveCount(0)
  }
})

test('the login returns to the page that required it, and nowhere else', async ({ page, createStudent }) => {
  const student = await createStudent({ name: 'Mia Lund' })
  for (const path of ['/browse', '/liked-notes', '/upload', '/profile', '/my-notes']) {
    await open(page, path, 'Login to Lectern')
    await expect(page).toHaveURL(`/login?next=${encodeURIComponent(path)}`)
  }
  // A forgotten password keeps it.
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page).toHaveURL('/forgot-password?next=%2Fmy-notes')
  await main(page).getByRole('link', { name: 'Login' }).click()
  await expect(page.getByText('Log in to see your notes.', { exact: true })).toBeVisible()

  await page.goto('/browse?courseCode=CS101&sortBy=likes')
  await expect(page).toHaveURL(`/login?next=${encodeURIComponent('/browse?courseCode=CS101&sortBy=likes')}`)
  await logIn(page, student, 'Browse Notes')
  await expect(page).toHaveURL('/browse?courseCode=CS101&sortBy=likes')

  // Addresses of other sites are ignored, in the link and in what the browser has kept.
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await page.goto('/login?next=%2F%2Fevil.example%2Fbrowse')
  await logIn(page, student, 'Welcome, Mia!')
  await expect(page).toHaveURL(/:\d+\/$/)
  await clickTo(page.getByRole('button', { name: 'Logout' }), 'Login to Lectern')
  await page.evaluate(() =>
    localStorage.setItem('lectern-next', JSON.stringify({ next: '//evil.example', until: Date.now() + 1e6 })),
  )
  await page.goto('/verify/success')
  await page.getByRole('link', { name: 'Go now' }).click()
  await expect(page).toHaveURL('/login')
  await logIn(page, student, 'Welcome, Mia!')
})

const verifyLink = (page: Page) => main(page).getByRole('link', { name: 'Verify email' })

test('the mailed link opens a page whose click verifies', async ({ page, request, lectern }) => {
  const to = await register(request, { name: 'Mia Lund' })
  const link = await lectern.readMailedLink(to)
  const token = new URL(link).searchParams.get('token')

  // Opening it changes nothing, and the token leaves the address bar.
  await open(page, link, 'Email Verification')
  await expect(page).toHaveTitle('Email Verification · Lectern')
  await expect(page).toHaveURL(/\/verify$/)
  await page.reload()
  await expect(verifyLink(page)).toBeVisible()

  // The click posts the token, once.
  const held = await holdRequests(page, /\/api\/users\/verify$/)
  await verifyLink(page).click()
  await expect(verifyLink(page)).toHaveAttribute('aria-busy', 'true')
  await verifyLink(page).click()
  held.release()
  await expect(page).toHaveURL(/\/verify\/success$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email Verified')
  expect(held.requests.map((sent) => sent.postDataJSON())).toEqual([{ token }])
})

test('where strangers registered an address, the page asks for a password', async ({ page, request, lectern }) => {
  const to = newEmail()
  await register(request, { name: 'Mia Lund', email: to, typed: 'Strangers desk 1!' })
  const link = await lectern.readMailedLink(to)
  await register(request, { name: 'Mia Lund', email: to })
  const nameInput = main(page).getByLabel('Name')

  // The click opens a form, and makes no account.
  await page.goto(link)
  await verifyLink(page).click()
  await expect(nameInput).toBeFocused()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email Verification')

  // The form keeps to the rules of every new password, the server’s own included.
  await submitButton(page, 'Verify email').click()
  await expectFieldError(nameInput, 'Please fill in all fields')
  await nameInput.fill('Mia Lund')
  await fillNewPassword(page, 'Password123!', 'Password')
  await submitButton(page, 'Verify email').click()
  await expectFieldError(passwordInput(page), 'This password is too easy to guess')
  await fillNewPassword(page, 'Chosen on the page 3!', 'Password')
  await submitButton(page, 'Verify email').click()
  await expect(page).toHaveURL(/\/verify\/success$/)
})

test('a link that does not work opens a page that explains why', async ({ page, request, lectern }) => {
  const expectResult = async (name: string, title: string) => {
    await expect(page).toHaveURL(`/verify/${name}`)
    await expect(heading(page, title)).toBeVisible()
  }

  // Without a token, or with an unknown one, it is invalid.
  await page.goto('/verify')
  await expectResult('invalid', 'Invalid Link')
  await page.goto('/verify?token=nobody-has-this-one')
  await verifyLink(page).click()
  await expectResult('invalid', 'Invalid Link')

  const link = await lectern.readMailedLink(await register(request, { name: 'Mia Lund' }))
  await expireLink(lectern, new URL(link).searchParams.get('token') ?? '')
  await page.goto(link)
  await verifyLink(page).click()
  await expectResult('expired', 'Link Expired')

  // Any other failure is an internal error, unless the server names it.
  await mockServerError(page, /\/api\/users\/verify$/, 'POST')
  await page.goto('/verify?token=whichever')
  await verifyLink(page).click()
  await expectResult('internal-error', 'Something Went Wrong')
  await expect(main(page)).toContainText('This one’s on us.')

  const json = { message: 'This invitation has expired or was already used.', code: 'invitation_invalid' }
  await page.route('**/api/users/verify', (route) => route.fulfill({ status: 400, json }))
  await page.goto('/verify?token=whichever')
  await verifyLink(page).click()
  await expect(main(page)).toContainText(json.message)

  await page.route('**/api/users/verify', (route) => route.abort())
  await page.goto('/verify?token=whichever')
  await verifyLink(page).click()
  await expect(main(page)).toContainText('Can’t reach Lectern. Check your connection and try again.')
})

const atRegistration = 'the registration page'
const resultPages = [
  ['/verify/success', 'Email Verified', '/login', 'the login page'],
  ['/verify/expired', 'Link Expired', '/register', atRegistration],
  ['/verify/invalid', 'Invalid Link', '/register', atRegistration],
  ['/verify/internal-error', 'Something Went Wrong', '/register', atRegistration],
  ['/no/such/page', '404 Page Not Found', '/', 'the home page'],
] as const

test('each result page and the 404 page redirect after a countdown of 5 seconds @smoke', async ({ page }) => {
  await page.clock.install({ time: '2026-11-21T09:00:00Z' })
  await page.clock.pauseAt('2026-11-21T10:00:00Z')
  for (const [path, title, next, destination] of resultPages) {
    await open(page, path, title)
    await expect(page).toHaveTitle(`${title} · Lectern`)
    const timer = page.getByRole('timer')
    await expect(timer).toHaveText(`Redirecting to ${destination} in 5 seconds…`)
    await page.clock.runFor(1_000)
    await expect(timer).toHaveText(`Redirecting to ${destination} in 4 seconds…`)
    await page.clock.runFor(3_900)
    await expect(timer).toHaveText(`Redirecting to ${destination} in 1 second…`)
    await expect(page).toHaveURL(path)
    await page.clock.runFor(200)
    await expect(page).toHaveURL(next)
  }
})

test('the outbox shows emails as text with working links, and as HTML @smoke', async ({ page, lectern, request }) => {
  const email = await register(request, { name: 'Mia Sofie Lund' })
  await lectern.readMailedLink(email)
  const address = `/dev/outbox?to=${encodeURIComponent(email)}`
  await page.goto(address)
  const mail = page.getByRole('article').filter({ hasText: email })
  await expect(mail.getByText(/^Hello Mia,/)).toBeVisible()

  // In both themes, with its own colours, and no wider than the screen.
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
  expect(await findViolations(page, ['wcag2a', 'wcag2aa'])).toEqual([])

  await page.goto(address)
  await clickTo(mail.getByRole('link', { name: '/verify?' }), 'Email Verification')
})
