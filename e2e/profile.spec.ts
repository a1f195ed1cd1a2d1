import { expect, type Page } from '@playwright/test'
import { holdRequests } from './hold-requests.ts'
import { heading } from './note-lists.ts'
import { ask, rate, shareNote } from './notes.ts'
import { test } from './test.ts'

const grid = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('the profile shows who one is, what one viewed and what one likes @phone', async ({ page, mia, ben }) => {
  const [own, last] = [await shareNote(mia, 'My own page'), await shareNote(ben, 'Seen last')]
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

  await test.step('the last ones viewed and liked come first', async () => {
    await ask(mia, 'PATCH', '/api/users/me', { recentlyViewedNotes: [last._id, own._id] })
    await rate(mia, last._id, { likes: '+' })
    await page.reload()
    const titles = grid(page, 'Recently Viewed').getByRole('article').getByRole('heading')
    await expect(titles).toHaveText([/Seen last/, /My own page/])
    await expect(grid(page, 'Liked Notes').getByRole('article')).toHaveText([/Seen last/])
  })
})
