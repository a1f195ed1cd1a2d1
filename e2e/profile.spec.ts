import { expect, type Page } from '@playwright/test'
import { holdRequests } from './held-requests.ts'
import { card, heading, titleLink } from './note-lists.ts'
import { shareNote, shareNotes } from './notes.ts'
import { test } from './test.ts'

const grid = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('the profile shows who one is, what one viewed and what one likes @phone', async ({
  page,
  createStudent,
  signIn,
}, { project }) => {
  const courseCode = `PRO${project.name === 'phone' ? 1 : 2}`
  const mia = await createStudent({ name: 'Mia Lund' })
  await shareNote(mia, 'My own page', { courseCode })
  await shareNotes(await createStudent({ name: 'Ben Ito' }), ['Seen first', 'Seen last'], { courseCode })
  await signIn(mia)
  await page.goto('/')

  await test.step('reached by one’s name, behind an overlay until it is up to date', async () => {
    await expect(page.getByRole('heading', { name: 'Welcome, Mia!' })).toBeVisible()
    const held = await holdRequests(page, /\/api\/users\/me$/)
    await page.getByRole('banner').getByRole('link', { name: 'Mia Lund' }).click()
    await expect(page).toHaveURL('/profile')
    await expect(page.getByRole('status').getByText('Loading your profile…')).toBeVisible()
    held.release()
    await expect(page.getByText('Loading your profile…')).toHaveCount(0)
  })

  await test.step('nothing viewed and nothing liked yet', async () => {
    await expect(heading(page, 'Mia Lund')).toBeVisible()
    await expect(page.getByText(mia.email)).toBeVisible()
    await expect(grid(page, 'Recently Viewed')).toContainText('You haven’t viewed any notes yet.')
    await expect(grid(page, 'Liked Notes')).toContainText('You haven’t liked any notes yet.')
  })

  await test.step('the last one viewed comes first, each once', async () => {
    await page.goto(`/browse?courseCode=${courseCode}`)
    for (const title of ['Seen first', 'My own page', 'Seen last', 'Seen first', 'Seen last']) {
      const saved = page.waitForResponse(
        (answer) => answer.request().method() === 'PATCH' && /\/me$/.test(answer.url()),
      )
      const tab = page.waitForEvent('popup')
      await titleLink(page, title).click()
      await (await tab).close()
      await saved
    }
    await card(page, 'Seen last').getByRole('button', { name: /^Like/ }).click()
    await expect(card(page, 'Seen last').getByRole('button', { name: /^Like/ })).toHaveAttribute('aria-pressed', 'true')
    await page.getByRole('banner').getByRole('link', { name: 'Mia Lund' }).click()
    const titles = grid(page, 'Recently Viewed').getByRole('article').getByRole('heading')
    await expect(titles).toHaveText([/Seen last/, /Seen first/, /My own page/])
    await expect(grid(page, 'Liked Notes').getByRole('article')).toHaveText([/Seen last/])
    await page.reload()
    await expect(titles).toHaveText([/Seen last/, /Seen first/, /My own page/])
  })

  await test.step('neither grid loads more, nor lets anything be edited or deleted', async () => {
    await expect(page.getByRole('button', { name: /Load More|Edit Note|Delete Note/ })).toHaveCount(0)
  })
})
