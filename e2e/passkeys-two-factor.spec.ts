import { expect, type Locator, type Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { expectAccessible } from './accessible.ts'
import { answerQuestion, clickForToast, clickTo, pressBack } from './actions.ts'
import { confirmWithPassword, expectFieldError, logIn, passwordInput, submitButton } from './forms.ts'
import { button, dialog, heading, main, navLink, region, toast } from './page.ts'
import { test } from './test.ts'

/** Adds Chromium's virtual authenticator, which keeps passkeys while the page is open. */
async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page)
  await client.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setVerified: (isUserVerified: boolean) =>
      client.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () => (await client.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  }
}

const logOut = (page: Page) => clickTo(button(page, 'Logout'), 'Login to Lectern')
const confirm = (page: Page, action: string) => confirmWithPassword(dialog(page), action)

const twoFactorSection = (page: Page) => region(page, 'Two-factor authentication')

/** Starts to turn it on, and returns the secret for an app. */
async function startTwoFactor(page: Page): Promise<string> {
  const twoFactor = twoFactorSection(page)
  await twoFactor.getByRole('button', { name: 'Turn on' }).click()
  await confirm(page, 'Continue')
  return ((await twoFactor.locator('code').textContent()) ?? '').replaceAll(' ', '')
}

test('a passkey is added, logs in without a password, and is removed @phone @smoke', async ({ page, lectern, mia }) => {
  const authenticator = await addAuthenticator(page)
  const passkeys = region(page, 'Passkeys')
  const adding = page.getByRole('dialog', { name: 'Add a passkey' })

  // It needs the password and user verification.
  await page.goto('/settings')
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click()
  await adding.getByRole('button', { name: 'Continue' }).click()
  await expectFieldError(adding.getByLabel('Passkey name'), 'Please fill in all fields')
  await expect(adding.getByLabel('Passkey name')).toBeFocused()
  await expectAccessible(page, 'Adding a passkey, with nothing typed')
  await adding.getByLabel('Passkey name').fill('My phone')
  await adding.getByLabel('Password', { exact: true }).fill('Not the desk 42!')
  await adding.getByRole('button', { name: 'Continue' }).click()
  await expectFieldError(adding.getByLabel('Password', { exact: true }), 'Incorrect password.')
  await expect(adding.getByLabel('Password', { exact: true })).toBeFocused()
  await authenticator.setVerified(false)
  await adding.getByLabel('Password', { exact: true }).fill(mia.password)
  await adding.getByRole('button', { name: 'Continue' }).click()
  await expect(adding.getByRole('alert')).toHaveText('The passkey request was cancelled or timed out.')
  expect(await authenticator.credentials()).toEqual([])
  await authenticator.setVerified(true)
  await clickForToast(adding.getByRole('button', { name: 'Continue' }), 'Passkey added.')
  await expect(passkeys.getByRole('listitem')).toContainText(/^My phoneAdded /)
  expect(await lectern.readMailedLink(mia.email)).toContain('/not-me?token=')

  // It logs in by the button, not without being verified, in a browser that offers no passkey automatically.
  await page.evaluate(() => localStorage.removeItem('lectern-passkey'))
  await logOut(page)
  await authenticator.setVerified(false)
  await clickForToast(submitButton(page, 'Log in with a passkey'), 'The passkey request was cancelled or timed out.')
  await authenticator.setVerified(true)
  await clickTo(submitButton(page, 'Log in with a passkey'), 'Welcome, Mia!')

  // It is offered automatically where it was used before.
  await logOut(page)
  // The virtual authenticator chooses automatically; in other browsers the student selects a passkey.
  await expect(heading(page, 'Welcome, Mia!')).toBeVisible()

  // It is removed, and opens nothing any more.
  await page.goto('/settings')
  await expect(passkeys.getByRole('listitem')).toContainText('last used')
  await passkeys.getByRole('button', { name: 'Rename My phone' }).click()
  const renaming = page.getByRole('dialog', { name: 'Rename My phone' })
  await renaming.getByLabel('Passkey name').fill('Old phone')
  await clickForToast(renaming.getByRole('button', { name: 'Rename' }), 'Passkey renamed.')
  await passkeys.getByRole('button', { name: 'Remove Old phone' }).click()
  await expect(dialog(page)).toHaveAccessibleName('Remove Old phone?')
  await confirm(page, 'Remove')
  await expect(toast(page, 'Passkey removed.')).toBeVisible()
  await expect(passkeys.getByRole('listitem')).toHaveCount(0)
  await expect(passkeys.getByRole('heading')).toBeFocused()
  await page.evaluate(() => localStorage.removeItem('lectern-passkey'))
  await logOut(page)
  await submitButton(page, 'Log in with a passkey').click()
  await expect(toast(page, 'That passkey didn’t work. Try again or log in with your password.')).toBeVisible()
  await logIn(page, mia, 'Welcome, Mia!')
})

test('two-factor login takes codes and recovery codes, and is turned off @phone @smoke', async ({ page, mia }) => {
  await page.goto('/settings')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Theme' }).click()
  const twoFactor = twoFactorSection(page)
  const code = page.getByLabel('Authentication code', { exact: true })
  const recoveryCode = page.getByLabel('Recovery code', { exact: true })
  const enterCode = async (field: Locator, typed: string) => {
    await field.fill(typed)
    await submitButton(page, 'Login').click()
  }

  // An app gets the secret, and shows its first code.
  const app = new TOTP({ secret: await startTwoFactor(page) })
  /** Returns the code of the current time step plus `steps`; the server also accepts adjacent steps. */
  const codeOf = (steps: number) => app.generate({ timestamp: Date.now() + steps * 30_000 })
  await expect(twoFactor.getByRole('heading', { name: 'Set up your authenticator app' })).toBeFocused()
  await expect(twoFactor.getByRole('img', { name: 'QR code for your app' })).toBeVisible()
  const firstCode = twoFactor.getByRole('textbox', { name: 'Authentication code' })
  await firstCode.fill('12345')
  await twoFactor.getByRole('button', { name: 'Turn on' }).click()
  await expectFieldError(firstCode, 'That code is incorrect or was already used.')
  await expectAccessible(page, 'The secret for an app, with a wrong code')
  await firstCode.fill(codeOf(0))
  await twoFactor.getByRole('button', { name: 'Turn on' }).click()
  await expect(twoFactor.getByRole('heading', { name: 'Save your recovery codes' })).toBeFocused()
  const recoveryCodes = await twoFactor.getByRole('listitem').allTextContents()
  expect(recoveryCodes).toHaveLength(10)
  await expectAccessible(page, 'Recovery codes')
  const download = page.waitForEvent('download')
  await twoFactor.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('lectern-recovery-codes.txt')
  // They are not shown again, so the page stays until they are saved.
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const passkey = page.getByRole('dialog')
  await expect(passkey).toBeVisible()
  await pressBack(page)
  await expect(toast(page, 'Save your recovery codes first.')).toBeVisible()
  // Until the browser is here again, it would ignore the next Back.
  await expect(page).toHaveURL('/settings#theme')
  // Discarding what was typed in the dialog does not discard the codes.
  await passkey.getByRole('textbox', { name: 'Passkey name' }).fill('My phone')
  await answerQuestion(page, 'accept', () => pressBack(page))
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await navLink(page, 'Browse').click()
  await expect(page).toHaveURL(/\/settings/)
  await twoFactor.getByRole('button', { name: 'I’ve saved my codes' }).click()
  await expect(twoFactor).toContainText('10 recovery codes left.')
  await expect(twoFactor.getByRole('heading')).toBeFocused()

  // The login asks for a code after the password.
  await logOut(page)
  await logIn(page, mia)
  await expect(code).toBeFocused()
  await enterCode(code, '12345')
  await expectFieldError(code, 'That code is incorrect or was already used.')
  await expectAccessible(page, 'The second step of a login, with a wrong code')
  await code.fill(codeOf(1))
  await clickTo(submitButton(page, 'Login'), 'Welcome, Mia!')

  // A recovery code replaces the app, once.
  await logOut(page)
  await logIn(page, mia)
  await submitButton(page, 'Use a recovery code').click()
  await expect(recoveryCode).toBeFocused()
  await recoveryCode.fill(recoveryCodes[0] ?? '')
  await clickTo(submitButton(page, 'Login'), 'Welcome, Mia!')
  await page.goto('/settings')
  await expect(twoFactor).toContainText('9 recovery codes left.')

  // After five wrong codes the password is required again.
  await logOut(page)
  await logIn(page, mia)
  for (let count = 1; count <= 6; count++) {
    const answered = page.waitForResponse('/api/users/login/code')
    await enterCode(code, `${count}`)
    await answered
  }
  await expect(main(page).getByText('This login attempt has expired. Please log in again.')).toBeVisible()
  await expect(passwordInput(page)).toHaveValue('')
  await passwordInput(page).fill(mia.password)
  await submitButton(page, 'Login').click()
  await submitButton(page, 'Use a recovery code').click()
  await recoveryCode.fill(recoveryCodes[1] ?? '')
  await clickTo(submitButton(page, 'Login'), 'Welcome, Mia!')

  // Codes are generated again, and it is turned off.
  await page.goto('/settings')
  await twoFactor.getByRole('button', { name: 'Generate new codes' }).click()
  await confirm(page, 'Generate codes')
  await expect(twoFactor.getByRole('listitem')).toHaveCount(10)
  expect(await twoFactor.getByRole('listitem').first().textContent()).not.toBe(recoveryCodes[0])
  await twoFactor.getByRole('button', { name: 'I’ve saved my codes' }).click()
  await twoFactor.getByRole('button', { name: 'Turn off' }).click()
  await confirm(page, 'Turn off')
  await expect(toast(page, 'Two-factor authentication turned off.')).toBeVisible()
  await expect(twoFactor.getByRole('heading')).toBeFocused()
  await logOut(page)
  await logIn(page, mia, 'Welcome, Mia!')
})

test('recovery codes that were lost with the connection are generated again', async ({ page, mia }) => {
  await page.goto('/settings')
  const twoFactor = twoFactorSection(page)
  await page.route(/two-factor\/on$/, async (route) => {
    await route.fetch()
    await route.abort()
  })
  const turnOn = async () => {
    const secret = await startTwoFactor(page)
    await twoFactor.getByRole('textbox', { name: 'Authentication code' }).fill(new TOTP({ secret }).generate())
    await twoFactor.getByRole('button', { name: 'Turn on' }).click()
  }
  await turnOn()
  const lost = 'Your recovery codes couldn’t be shown. Generate new codes and save them.'
  await expect(twoFactor).toContainText(lost)
  await twoFactor.getByRole('button', { name: 'Turn off' }).click()
  await confirm(page, 'Turn off')
  await expect(toast(page, 'Two-factor authentication turned off.')).toBeVisible()
  // Not the form with the secret that was used.
  await expect(twoFactor.getByRole('img', { name: 'QR code for your app' })).toHaveCount(0)
  await turnOn()
  await expect(twoFactor).toContainText(lost)
  await twoFactor.getByRole('button', { name: 'Generate new codes' }).click()
  await confirm(page, 'Generate codes')
  await expect(twoFactor.getByRole('listitem')).toHaveCount(10)
  await twoFactor.getByRole('button', { name: 'I’ve saved my codes' }).click()
  await expect(twoFactor).toContainText('10 recovery codes left.')
  await expect(twoFactor).not.toContainText(lost)
})
