import { expect, type Page } from '@playwright/test'
import { expireLink } from './database.ts'
import {
  confirmInput,
  expectFieldError,
  main,
  newEmail,
  password,
  passwordInput,
  register,
  submitButton,
} from './forms.ts'
import { holdRequests } from './hold-requests.ts'
import { mockServerError } from './note-lists.ts'
import { test } from './test.ts'

const verifyLink = (page: Page) => main(page).getByRole('link', { name: 'Verify email' })

test('the mailed link opens a page whose click verifies, also a second time', async ({ page, request, lectern }) => {
  const to = await register(request, { name: 'Mia Lund' })
  const link = await lectern.readMailedLink(to)
  const token = new URL(link).searchParams.get('token')

  await test.step('opening it changes nothing, and the token leaves the address bar', async () => {
    await page.goto(link)
    await expect(page.getByRole('heading', { level: 1, name: 'Email Verification' })).toBeVisible()
    await expect(page).toHaveTitle('Email Verification · Lectern')
    await expect(page).toHaveURL(/\/verify$/)
    await page.reload()
    await expect(verifyLink(page)).toBeVisible()
  })

  await test.step('the click posts the token, once', async () => {
    const held = await holdRequests(page, /\/api\/users\/verify$/)
    await verifyLink(page).click()
    await expect(verifyLink(page)).toHaveAttribute('aria-busy', 'true')
    await verifyLink(page).click()
    held.release()
    await expect(page).toHaveURL(/\/verify\/success$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email Verified')
    expect(held.requests.map((sent) => sent.postDataJSON())).toEqual([{ token }])
  })

  await test.step('a second click of the same link is a success, too', async () => {
    await page.goto(link)
    await verifyLink(page).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email Verified')
  })

  const login = await request.post('/api/users/login', { data: { email: to, password } })
  expect(login.status()).toBe(200)
})

test('where strangers registered an address, the page asks for a password', async ({ page, request, lectern }) => {
  const to = newEmail()
  await register(request, { name: 'Mia Lund', email: to, typed: 'Strangers desk 1!' })
  const link = await lectern.readMailedLink(to)
  await register(request, { name: 'Mia Lund', email: to })
  const nameInput = main(page).getByLabel('Name')

  await test.step('the click opens a form, and makes no account', async () => {
    await page.goto(link)
    await verifyLink(page).click()
    await expect(nameInput).toBeFocused()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Email Verification')
  })

  await test.step('the form keeps to the rules of every new password, the server’s own included', async () => {
    await submitButton(page, 'Verify email').click()
    await expectFieldError(nameInput, 'Please fill in all fields')
    await nameInput.fill('Mia Lund')
    await passwordInput(page).fill('Password123!')
    await confirmInput(page).fill('Password123!')
    await submitButton(page, 'Verify email').click()
    await expectFieldError(passwordInput(page), 'This password is too easy to guess')
  })

  await test.step('the password chosen there is the account’s', async () => {
    await passwordInput(page).fill('Chosen on the page 3!')
    await confirmInput(page).fill('Chosen on the page 3!')
    await submitButton(page, 'Verify email').click()
    await expect(page).toHaveURL(/\/verify\/success$/)
  })
  const login = await request.post('/api/users/login', { data: { email: to, password: 'Chosen on the page 3!' } })
  expect(login.status()).toBe(200)
})

test('a link that does not work opens the page that explains why', async ({ page, request, lectern }) => {
  await test.step('without a token it is invalid', async () => {
    await page.goto('/verify')
    await expect(page).toHaveURL(/\/verify\/invalid$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invalid Link')
    await page.goto('/verify?token=')
    await expect(page).toHaveURL(/\/verify\/invalid$/)
  })

  await test.step('an unknown token is invalid', async () => {
    await page.goto('/verify?token=nobody-has-this-one')
    await verifyLink(page).click()
    await expect(page).toHaveURL(/\/verify\/invalid$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Invalid Link')
  })

  await test.step('an old one has expired', async () => {
    const to = await register(request, { name: 'Mia Lund' })
    const link = await lectern.readMailedLink(to)
    await expireLink(lectern, new URL(link).searchParams.get('token') ?? '')
    await page.goto(link)
    await verifyLink(page).click()
    await expect(page).toHaveURL(/\/verify\/expired$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Link Expired')
  })

  await test.step('any other failure is an internal error, unless the server names it', async () => {
    await mockServerError(page, /\/api\/users\/verify$/, 'POST')
    await page.goto('/verify?token=whichever')
    await verifyLink(page).click()
    await expect(page).toHaveURL(/\/verify\/internal-error$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Something Went Wrong')
    await expect(main(page)).toContainText('This one’s on us.')

    await page.route('**/api/users/verify', (route) =>
      route.fulfill({
        status: 400,
        json: { message: 'This invitation has expired or was already used.', code: 'invitation_invalid' },
      }),
    )
    await page.goto('/verify?token=whichever')
    await verifyLink(page).click()
    await expect(main(page)).toContainText('This invitation has expired or was already used.')
  })
})

const resultPages = [
  { path: '/verify/success', title: 'Email Verified', next: '/login', destination: 'the login page' },
  { path: '/verify/expired', title: 'Link Expired', next: '/register', destination: 'the registration page' },
  { path: '/verify/invalid', title: 'Invalid Link', next: '/register', destination: 'the registration page' },
  {
    path: '/verify/internal-error',
    title: 'Something Went Wrong',
    next: '/register',
    destination: 'the registration page',
  },
  { path: '/no/such/page', title: '404 Page Not Found', next: '/', destination: 'the home page' },
]

test('each result page and the 404 page lead on after a countdown of 5 seconds @smoke', async ({ page }) => {
  await page.clock.install({ time: '2026-11-21T09:00:00Z' })
  await page.clock.pauseAt('2026-11-21T10:00:00Z')
  for (const { path, title, next, destination } of resultPages) {
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
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
    })
  }
})
