import { expect, type Page } from '@playwright/test'
import { clickForToast, clickTo, open } from './actions.ts'
import { emailInput, expectFieldError, fillRegistration, newEmail, submitButton } from './forms.ts'
import { ask, shareNote } from './notes.ts'
import { button, main, navLink, region, toast, uniqueCourseCode } from './page.ts'
import { ownServerTest as test } from './test.ts'

const row = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Accounts' }).getByRole('listitem').filter({ hasText: text })

async function findMember(page: Page, text: string): Promise<void> {
  await page.getByLabel('Name or email').fill(text)
  await page.getByRole('button', { name: 'Search accounts' }).click()
  await expect(row(page, text)).toBeVisible()
}

test('an admin names a moderator and suspends someone @smoke', async ({ page, openBrowser, createStudent, signIn }) => {
  const name = `Sam ${uniqueCourseCode()}`
  const [student, moderator] = [await createStudent({ name }), await createStudent()]
  const moderatorsPage = await openBrowser(moderator)

  await signIn({ role: 'admin' })
  await page.goto('/profile')
  await page.getByRole('link', { name: 'Admin', exact: true }).click()
  await expect(page).toHaveTitle(/Admin/)
  await findMember(page, moderator.email)
  await button(row(page, moderator.email), /^Change role/).press('Enter')
  const roles = page.getByRole('dialog', { name: `Change role for ${moderator.name}` })
  await expect(roles).toHaveAccessibleDescription(new RegExp(`^${RegExp.escape(moderator.email)}`))
  await roles.getByRole('radio', { name: /^Moderator/ }).check()
  await roles.getByRole('button', { name: 'Change role' }).click()
  await expect(row(page, moderator.email)).toContainText('Moderator')
  await open(moderatorsPage, '/moderation', 'Moderation')
  await open(moderatorsPage, '/admin', '404 Page Not Found')

  // A suspension needs a reason.
  await findMember(page, student.email)
  await button(row(page, student.email), `Suspend: ${name}, ${student.email}`).click()
  const suspension = page.getByRole('dialog', { name: `Suspend ${name}` })
  await suspension.getByRole('button', { name: 'Suspend', exact: true }).click()
  await expect(suspension.getByText('This field is required.')).toBeVisible()
  await expect(suspension.getByLabel('Reason')).toBeFocused()
  await suspension.getByLabel('Reason').fill('Sold exams.')
  await suspension.getByLabel('Hide their notes').check()
  await suspension.getByRole('button', { name: 'Suspend', exact: true }).click()
  await expect(suspension).toBeHidden()
  await expect(row(page, student.email)).toContainText('Sold exams.')

  // Lifting it is confirmed, and the log has both.
  await row(page, student.email).getByRole('button', { name: /^Lift/ }).click()
  const lifting = page.getByRole('dialog')
  await expect(lifting.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await clickForToast(lifting.getByRole('button', { name: 'Lift suspension' }), `${name} is no longer suspended.`)
  await expect(row(page, student.email).getByRole('button', { name: /^Suspend/ })).toBeVisible()
  const log = page.getByRole('region', { name: 'Audit log' })
  await expect(log.getByText(`lifted the suspension of ${name} (${student.email})`)).toBeVisible()
  await expect(log.getByText(`suspended ${name} (${student.email}) for 7 days: Sold exams.`)).toBeVisible()
})

test('an admin suspends an author without learning who @phone', async ({ page, admin, createStudent, signIn }) => {
  const title = `Old exams ${uniqueCourseCode()}`
  const note = await shareNote(await createStudent(), title, { isAnonymous: true })
  await ask(admin, 'POST', `/api/notes/${note._id}/reports`, { rule: 'exam' })

  await signIn(admin)
  await page.goto('/moderation')
  await page.getByRole('button', { name: `Suspend author: ${title}` }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('You won’t see who they are')
  await dialog.getByLabel('Duration').selectOption('Until lifted')
  await dialog.getByLabel('Reason').fill('Sold exams.')
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
  await expect(dialog).toBeHidden()

  await page.goto('/admin')
  const behind = page.getByRole('region', { name: 'Suspended anonymous authors' })
  await expect(behind).toContainText(title)
  await behind.getByRole('button', { name: `Lift suspension: ${title}` }).click()
  await expect(behind).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Admin', exact: true })).toBeFocused()
})

test('problems are listed on the admin page until they are over', async ({ page, signIn, lectern: { db } }) => {
  await signIn({ role: 'admin' })
  const [kind, text] = ['backup', 'The last backup is 3 days old.']
  await db.insertInto('problems').values({ kind, text }).execute()
  await page.goto('/admin')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect(attention.getByRole('listitem')).toHaveText([new RegExp(`^${RegExp.escape(text)}.*Since `)])
  await expect(attention).toContainText('Admins get an email about each problem, and another when it’s resolved.')
  await db.updateTable('problems').set({ ended_at: new Date() }).execute()
  await page.reload()
  await expect(attention).toContainText('Everything is working.')
  await expect(attention.getByRole('listitem')).toHaveCount(0)
})

test('accounts and invitations are loaded to the end', async ({ page, createStudent, signIn, lectern: { db } }) => {
  await signIn({ role: 'admin' })
  const expires_at = new Date(Date.now() + 86_400_000)
  for (let n = 0; n < 51; n++) {
    await createStudent({ role: 'moderator' })
    await db.insertInto('invitations').values({ email: newEmail(), expires_at }).execute()
  }
  await page.goto('/admin')
  for (const name of ['Accounts', 'Invitations']) {
    const rows = region(page, name).getByRole('listitem')
    await expect(rows).toHaveCount(50)
    const more = region(page, name).getByRole('button', { name: /^Load more/ })
    await more.press('Enter')
    await expect(rows.nth(50).getByRole('button').first()).toBeFocused()
    await expect(more).toBeHidden()
  }
})

test('the only admin is warned before they delete their account', async ({ page, signIn, lectern: { db } }) => {
  const { id } = await signIn({ role: 'admin' })
  await db.updateTable('users').set({ role: 'student' }).where('id', '<>', id).execute()
  await page.goto('/settings')
  await main(page).getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('dialog')).toHaveAccessibleDescription(
    /^You’re the only admin\. Make someone else an admin first/,
  )
})

test('an admin sets who may register, and the form shows it @smoke', async ({ page, openBrowser, signIn }) => {
  const admin = await signIn({ role: 'admin' })
  const visitor = await openBrowser()
  await page.goto('/admin')
  const section = page.getByRole('region', { name: 'Registration' })
  const save = async (mode: RegExp) => {
    await section.getByRole('radio', { name: mode }).check()
    await section.getByRole('button', { name: 'Save registration settings' }).click()
  }

  await section.getByRole('radio', { name: /^Specific email domains/ }).check()
  const domains = section.getByLabel('Domains', { exact: true })
  await domains.fill('uni.example, münchen.example')
  await save(/^Specific email domains/)
  await expectFieldError(domains, 'Enter domains like uni.example.')
  await expect(domains).toBeFocused()
  await domains.fill('UNI.example')
  await save(/^Specific email domains/)
  await expect(toast(page, 'Registration settings saved.')).toBeVisible()
  await expect(domains).toHaveValue('uni.example')
  await expect(section.getByRole('button', { name: 'Save registration settings' })).toBeFocused()
  await visitor.goto('/register')
  await expect(emailInput(visitor)).toHaveAccessibleDescription('Use an address ending in uni.example.')
  await fillRegistration(visitor, { email: 'grace@elsewhere.example' })
  await expect(emailInput(visitor)).toHaveAccessibleDescription(
    /^Register with an email address ending in uni.example\./,
  )

  // Waits for the response, because the previous notice may still be visible.
  const saved = page.waitForResponse((response) => response.request().method() !== 'GET')
  await save(/^Invitation only/)
  await expect(section.getByLabel('Domains', { exact: true })).toBeHidden()
  expect((await saved).ok()).toBe(true)
  await section.getByRole('radio', { name: /^Specific email domains/ }).check()
  await expect(domains).toHaveValue('uni.example')
  await section.getByRole('radio', { name: /^Invitation only/ }).check()
  await visitor.reload()
  await expect(visitor.getByText('Registration is by invitation only.')).toBeVisible()
  await expect(emailInput(visitor)).toBeHidden()

  const invitations = page.getByRole('region', { name: 'Invitations' })
  await invitations.getByRole('button', { name: 'Invite' }).click()
  const link = await invitations.getByLabel('Invitation link').inputValue()
  // Enter in the field creates no other invitation.
  await invitations.getByLabel('Invitation link').press('Enter')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await clickForToast(invitations.getByRole('button', { name: 'Copy' }), 'Invitation link copied.')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await visitor.goto(link)
  await expect(visitor.getByText('You’ve been invited to Lectern.')).toBeVisible()
  // The token is removed from the address, and so from the history and from screenshots.
  await expect(visitor).toHaveURL(/\/register$/)
  for (const name of ['Login', 'Register']) await navLink(visitor, name).click()
  await expect(visitor.getByText('You’ve been invited to Lectern.')).toBeVisible()
  await fillRegistration(visitor, { email: newEmail() })
  await expect(visitor.getByRole('heading', { name: 'Login to Lectern' })).toBeVisible()

  await invitations.getByRole('button', { name: /^Revoke: Link created/ }).click()
  await expect(invitations.getByRole('button', { name: /^Revoke: Link created/ })).toBeHidden()
  await expect(invitations.getByRole('heading')).toBeFocused()
  const mailed = newEmail()
  await invitations.getByLabel('Email').fill(mailed)
  await clickForToast(invitations.getByRole('button', { name: 'Invite' }), `Invitation sent to ${mailed}.`)
  await expect(invitations.getByLabel('Invitation link')).toHaveValue(link)
  await invitations.getByRole('button', { name: `Resend: ${mailed}` }).press('Enter')
  await expect(toast(page, `Invitation resent to ${mailed}.`)).toBeVisible()
  await expect(invitations.getByRole('button', { name: `Resend: ${mailed}` })).toBeFocused()
  await visitor.goto(link)
  for (const name of ['Login', 'Register']) await navLink(visitor, name).click()
  await fillRegistration(visitor, { email: newEmail() })
  await expect(main(visitor).getByText('This invitation has expired or was already used.')).toBeVisible()
  const opened = page.waitForResponse((response) => response.request().method() !== 'GET')
  await save(/^Anyone/)
  expect((await opened).ok()).toBe(true)
  const log = page.getByRole('region', { name: 'Audit log' })
  await expect(log.getByText(`(${admin.email}): set registration to open`)).toBeVisible()
})

test('an announcement is shown to students until dismissed @phone', async ({ page, admin, ben, signIn }) => {
  await signIn(admin)
  await page.goto('/admin')
  const section = region(page, 'Announcement')
  const text = `Closed on Monday. <b>Really</b> ${uniqueCourseCode()}`
  await section.getByLabel('Message').fill(text)
  await section.getByLabel('Show for').selectOption('1 day')
  await clickTo(page.getByRole('link', { name: 'Browse' }).first(), 'Browse Notes')
  await page.goBack()
  await expect(section.getByLabel('Message')).toHaveValue(text)
  await expect(section.getByLabel('Show for')).toHaveValue('1')
  await section.getByRole('button', { name: 'Publish' }).click()
  await expect(section).toContainText(text)
  await expect(section.getByLabel('Message')).toHaveValue('')
  await expect(section.getByRole('button', { name: 'Publish' })).toBeFocused()

  const uploads = page.getByRole('region', { name: 'Uploads' })
  const limit = uploads.getByLabel('MB per 24 hours')
  await limit.fill('1000000')
  await uploads.getByRole('button', { name: 'Save limit' }).click()
  await expectFieldError(limit, 'Enter a whole number from 1 to ')
  await expect(limit).toBeFocused()
  await limit.fill('')
  await clickForToast(uploads.getByRole('button', { name: 'Save limit' }), 'Upload limit saved.')
  await expect(uploads.getByRole('button', { name: 'Save limit' })).toBeFocused()

  await signIn(ben)
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) Object.assign(window, { shifted: entry })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto('/browse')
  const shown = page.getByRole('region', { name: 'Site announcement' })
  await expect(shown).toContainText(text)
  expect(await page.evaluate(() => 'shifted' in window)).toBe(false)
  await shown.getByRole('button', { name: 'Got it' }).press('Enter')
  await expect(shown).toBeHidden()
  await expect(main(page)).toBeFocused()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Browse Notes' })).toBeVisible()
  await expect(shown).toBeHidden()

  await signIn(admin)
  await page.goto('/admin')
  await expect(shown).toContainText(text)
  await section.getByRole('button', { name: 'Remove' }).click()
  await expect(section.getByRole('button', { name: 'Remove' })).toBeHidden()
  await expect(section.getByRole('heading')).toBeFocused()
})

test('a copyright claim is made without an account @phone', async ({ page, lectern, moderator, ben, signIn }) => {
  const title = `Chapter 3 ${uniqueCourseCode()}`
  const note = await shareNote(ben, title, { isAnonymous: true })

  await page.goto('/')
  await page.getByRole('link', { name: 'Copyright' }).click()
  await submitButton(page, 'Send').click()
  await expect(page.getByText('Paste the link to the note.').first()).toBeVisible()
  await page.getByLabel('Link to the note').fill(`${lectern.url}/notes/${note._id}`)
  await page.getByLabel('Your work').fill('It is chapter 3 of my book.')
  await page.getByLabel('Your name').fill('Paul Press')
  await page.getByLabel('Your email').fill('paul@press.example')
  await clickTo(main(page).getByRole('link', { name: 'Guidelines' }), 'Guidelines')
  await page.goBack()
  await submitButton(page, 'Send').click()
  const sent = page.getByRole('status').filter({ hasText: 'paul@press.example' })
  await expect(sent).toContainText('If the note exists')
  await expect(page.getByRole('heading', { name: 'Copyright' })).toBeFocused()
  await clickTo(page.getByRole('link', { name: 'Guidelines' }).first(), 'Guidelines')
  await page.goBack()
  await expect(page.getByLabel('Your work')).toHaveValue('')

  await signIn(moderator)
  await page.goto('/moderation')
  const matter = page.getByRole('article', { name: title })
  await expect(matter).toContainText('Copyright claim from Paul Press (no account)')
  await expect(matter).toContainText('It is chapter 3 of my book.')
})
