import { expect } from '@playwright/test'
import { clickForToast, clickTo, open } from './actions.ts'
import { markEmailBouncing } from './database.ts'
import { confirmWithPassword, expectFieldError, fillNewPassword, logIn, passwordInput, submitButton } from './forms.ts'
import { ask } from './notes.ts'
import { main, region, toast } from './page.ts'
import { mockServerError } from './requests.ts'
import { test } from './test.ts'

test('name and password are changed, and changed back @phone @smoke', async ({ page, openBrowser, lectern, mia }) => {
  await page.goto('/profile')
  await clickTo(main(page).getByRole('link', { name: 'Settings' }), 'Settings')

  // The name is changed wherever it appears.
  await page.getByRole('textbox', { name: 'Name' }).fill('Mia Lindqvist')
  await clickForToast(submitButton(page, 'Change name'), 'Name changed.')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Mia Lindqvist' })).toBeVisible()

  const thief = await openBrowser()
  await thief.goto('/login')
  await logIn(thief, mia, 'Welcome, Mia!')

  // The other device is listed, with its name.
  await page.reload()
  const row = page.getByRole('listitem').filter({ hasText: 'last used' })
  await expect(row.first()).toContainText(/Chrome on (Linux|Windows|Mac|Android)/)
  await page.getByRole('button', { name: 'Log out all other devices' }).click()
  await confirmWithPassword(page.getByRole('dialog', { name: 'Log out all other devices?' }), 'Log out')
  await expect(toast(page, 'All other devices logged out.')).toBeVisible()
  await expect(page.getByRole('list').filter({ hasText: 'This device' }).getByRole('listitem')).toHaveCount(1)

  // A new password requires the current one.
  await passwordInput(page, 'Current Password').fill('Not the desk 42!')
  await fillNewPassword(page, 'Another desk 42!')
  await submitButton(page, 'Change password').click()
  await expectFieldError(passwordInput(page, 'Current Password'), 'Incorrect password. Please try again.')
  await passwordInput(page, 'Current Password').fill(mia.password)
  await clickForToast(submitButton(page, 'Change password'), 'Password changed. Your other devices were logged out.')
  await expect(passwordInput(page, 'Current Password')).toHaveValue('')

  // The mailed link logs out this one too, and opens the form for a new password.
  await expect.poll(() => lectern.readMailedLink(mia.email)).toContain('/not-me?token=')
  await open(page, await lectern.readMailedLink(mia.email), 'Secure your account')
  await expect(page).toHaveURL('/not-me')
  await clickTo(submitButton(page, 'Secure my account'), 'Reset Password')
  await expect(page).toHaveURL('/reset-password')
  await fillNewPassword(page, 'Mine again 42!')
  await clickTo(submitButton(page, 'Reset Password'), 'Login to Lectern')
  await logIn(page, { email: mia.email, password: 'Mine again 42!' }, 'Welcome, Mia!')
})

test('the email is changed by a link, the account left and kept @phone @smoke', async ({ page, lectern, mia }) => {
  const email = `moved.${mia.email}`
  await page.goto('/settings')

  await page.getByLabel('New email').fill(email)
  await confirmWithPassword(region(page, 'Email'), 'Change email')
  await expect(main(page).getByRole('status').filter({ hasText: email })).toBeVisible()
  await page.goto(await lectern.readMailedLink(email))
  await expect(page).toHaveURL('/confirm-email')
  await submitButton(page, 'Confirm email').click()
  await expect(page.getByText('Email changed. Use it the next time you log in.')).toBeVisible()
  await main(page).getByRole('link', { name: 'Go to settings' }).click()
  await expect(page.getByText(`Current email: ${email}`)).toBeVisible()

  // A bouncing address is shown until the user asks to try it again.
  await markEmailBouncing(lectern, email)
  await page.reload()
  await expect(main(page).getByText(`Emails to ${email} are bouncing.`)).toBeVisible()
  await clickForToast(submitButton(page, 'Try again'), 'We’ll try your address again.')
  await expect(main(page).getByText('are bouncing')).toHaveCount(0)

  await submitButton(page, 'Create export').click()
  const download = page.waitForEvent('download')
  await submitButton(page, 'Download export').click()
  expect((await download).suggestedFilename()).toBe('lectern.zip')

  // Every page shows that the account will be deleted, until it is kept.
  await page.getByRole('radio', { name: 'Delete my notes' }).check()
  await submitButton(page, 'Delete account').click()
  await confirmWithPassword(page.getByRole('dialog', { name: 'Delete your account?' }), 'Schedule deletion')
  await expect(main(page).getByText(/will be deleted on/)).toBeVisible()
  await clickTo(page.getByRole('button', { name: 'Logout' }), 'Login to Lectern')
  await logIn(page, { email, password: mia.password })
  const notice = page.getByRole('banner').getByRole('region', { name: 'Your account' })
  await expect(notice).toContainText(/Your account will be deleted on/)
  await clickForToast(notice.getByRole('button', { name: 'Cancel deletion' }), 'Account deletion cancelled.')
  await expect(notice).toHaveCount(0)
})

test('a security alert’s link works next to another account', async ({ page, lectern, createStudent, signIn }) => {
  const [mia, ben] = [await createStudent({ name: 'Mia Lund' }), await createStudent({ name: 'Ben Ito' })]
  const next = { password: 'Another desk 42!', confirmPassword: 'Another desk 42!' }
  await ask(mia, 'POST', '/api/users/me/password', { currentPassword: mia.password, ...next })
  await expect.poll(() => lectern.readMailedLink(mia.email)).toContain('/not-me?token=')

  // A failed request is not shown as an empty list of passkeys, no export or no deletion.
  await signIn(ben)
  await mockServerError(page, /\/api\/users\/me\/(passkeys|export|leaving)$/)
  await page.goto('/settings')
  for (const what of ['passkeys', 'export', 'account deletion'])
    await expect(page.getByText(`There was an error fetching your ${what}.`)).toBeVisible()
  await page.unrouteAll()
  for (const _ of [1, 2, 3]) await page.getByRole('button', { name: 'Try again' }).first().click()
  for (const what of ['Add a passkey', 'Delete account']) await expect(submitButton(page, what)).toBeVisible()

  // Messages from the moderators show it too.
  await mockServerError(page, /\/api\/users\/me\/moderation$/)
  await page.goto('/my-notes')
  await expect(page.getByText('There was an error fetching messages from the moderators.')).toBeVisible()

  await page.goto(await lectern.readMailedLink(mia.email))
  await clickTo(submitButton(page, 'Secure my account'), 'Reset Password')
})

test('settings have a list of sections, each with an address @phone', async ({ page, signIn }) => {
  await signIn()
  await page.goto('/settings#export')
  const list = page.getByRole('navigation', { name: 'Settings' })
  await expect(main(page).getByRole('heading', { name: 'Export your data' })).toBeInViewport()
  await expect(list.getByRole('link', { name: 'Export your data' })).toHaveAttribute('aria-current', 'location')
  const titles = await main(page).getByRole('heading', { level: 2 }).allTextContents()
  await expect(list.getByRole('link')).toHaveText(titles)
  await page.evaluate(() => window.scrollTo(0, 0))
  await list.getByRole('link', { name: 'Theme' }).click()
  await expect(page).toHaveURL('/settings#theme')
  await expect(main(page).getByRole('heading', { name: 'Theme' })).toBeInViewport()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('radio', { name: 'System' })).toBeFocused()
  await page.goBack()
  await expect(page).toHaveURL('/settings#export')
})
