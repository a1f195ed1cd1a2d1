import { expect } from '@playwright/test'
import { onePagePdf } from '../server/testing/pdf.ts'
import { clickForToast, clickTo, open } from './actions.ts'
import { fillRegistration, logIn, newEmail, password, registered } from './forms.ts'
import { card, expectOpensNewTab, likeButton, titleLink } from './note-lists.ts'
import { shareNote } from './notes.ts'
import { button, main, uniqueCourseCode } from './page.ts'
import { test } from './test.ts'

const pdf = (name: string) => ({ name, mimeType: 'application/pdf', buffer: onePagePdf })

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a student does the main job @phone @reader @smoke', async ({ page, lectern, ben }, { project }) => {
  const course = uniqueCourseCode()
  const othersNote = `Heaps and queues ${project.name}`
  await shareNote(ben, othersNote, { courseCode: course })
  const email = newEmail()

  await test.step('registers', async () => {
    await page.goto('/register')
    await fillRegistration(page, { email })
    await expect(page.getByText(registered)).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
  })

  await test.step('opens the mailed link and verifies', async () => {
    await open(page, await lectern.readMailedLink(email), 'Email Verification')
    await clickTo(page.getByRole('link', { name: 'Verify email' }), 'Email Verified')
  })

  await test.step('logs in', async () => {
    await open(page, '/login', 'Login to Lectern')
    await logIn(page, { email, password })
    await expect(page.getByText(/Mia/).first()).toBeVisible()
    await expect(page).toHaveURL(/\/$/)
  })

  await test.step('uploads two PDFs', async () => {
    await page.goto('/upload')
    await page.getByLabel('Course Code').fill(course.toLowerCase())
    await page.locator('input[type=file]').setInputFiles([pdf('Red-black trees.pdf'), pdf('Graph search.pdf')])
    await clickForToast(button(main(page), /^Upload/), 'Notes uploaded successfully!')
    await expect(page).toHaveURL(/\/my-notes/)
    await expect(card(page, 'Red-black trees')).toContainText(course)
    await expect(card(page, 'Graph search')).toContainText('You')
  })

  await test.step('finds a note on Browse and opens it in a new tab', async () => {
    await open(page, `/browse?courseCode=${course}`, 'Browse Notes')
    await expect(page.getByRole('article')).toHaveCount(3)
    await expectOpensNewTab(page, () => titleLink(page, othersNote).click())
  })

  await test.step('likes it and sees it under Liked', async () => {
    const saved = page.waitForResponse(/\/rating$/)
    await likeButton(card(page, othersNote)).click()
    await expect(likeButton(card(page, othersNote))).toHaveAttribute('aria-pressed', 'true')
    // The button changes before the rating is saved.
    await saved
    await page.goto('/liked-notes')
    await expect(card(page, othersNote)).toContainText('Ben Ito')
  })

  await test.step('edits and deletes own notes under My Notes', async () => {
    await page.goto('/my-notes')
    await card(page, 'Graph search').getByRole('button', { name: 'Edit Note' }).click()
    const edit = page.getByRole('dialog')
    await edit.getByLabel('Instructor').fill('Dr. Osei')
    await edit.getByLabel('Instructor').press('Tab')
    await edit.getByLabel('Display Anonymously').check()
    await clickForToast(edit.getByRole('button', { name: 'Save Changes' }), 'Note updated successfully!')
    await expect(card(page, 'Graph search')).toContainText('Dr. Osei')

    await card(page, 'Red-black trees').getByRole('button', { name: 'Delete Note' }).click()
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
    await clickForToast(confirm, 'Note deleted successfully.')
    await expect(card(page, 'Red-black trees')).toHaveCount(0)
  })

  await test.step('logs out', async () => {
    await clickForToast(page.getByRole('button', { name: 'Logout' }), 'Logout successful!')
    await page.goto('/my-notes')
    await expect(page).toHaveURL(/\/login/)
  })
})
