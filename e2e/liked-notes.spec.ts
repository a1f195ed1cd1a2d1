import { expect, type Locator, type Page } from '@playwright/test'
import { main } from './forms.ts'
import {
  card,
  cards,
  dislikeButton,
  expectTitles,
  heading,
  likeButton,
  loadMore,
  navLink,
  nextCall,
  queryOf,
  searchBar,
  titles,
} from './note-lists.ts'
import { rate, shareNote, uniqueCourseCode, uploadMany } from './notes.ts'
import { test } from './test.ts'

/** Presses a rating button and waits until the server has accepted the rating. */
async function press(page: Page, button: Locator) {
  const answer = page.waitForResponse((response) => response.url().endsWith('/rating'))
  await button.click()
  expect((await answer).status()).toBe(200)
}

const listCall = '/api/users/me/notes/liked'

test('Liked Notes are searched, sorted and loaded on @smoke', async ({ page, createStudent, mia, ben }) => {
  const courseCode = uniqueCourseCode()
  const pages = await uploadMany(ben, 25, courseCode)
  const first = await shareNote(ben, 'First', { courseCode })
  await shareNote(ben, 'Not liked', { courseCode })
  await shareNote(mia, 'Own', { courseCode })

  await test.step('nothing yet, here and on the profile', async () => {
    await page.goto('/profile')
    const liked = page.getByRole('region', { name: 'Liked Notes', exact: true })
    await expect(liked.getByText('You haven’t liked any notes yet.', { exact: true })).toBeVisible()
    await navLink(page, 'Liked').click()
    await expect(heading(page, 'Liked Notes')).toBeVisible()
    const bar = searchBar(page, 'Search Liked Notes').bar
    await expect(bar.getByRole('heading', { name: 'Search Liked Notes', exact: true })).toBeVisible()
    await expect(main(page).getByText('No notes were found.', { exact: true })).not.toHaveCount(0)
    await main(page).getByRole('link', { name: 'Browse notes' }).click()
    await expect(heading(page, 'Browse Notes')).toBeVisible()
  })

  await test.step('a note comes here when it is liked, and nothing can be edited or deleted', async () => {
    await searchBar(page).courseCode.fill(courseCode)
    await searchBar(page).search.click()
    await press(page, likeButton(card(page, 'First')))
    await navLink(page, 'Liked').click()
    await expect(heading(page, 'Liked Notes')).toBeVisible()
    await expectTitles(page, ['First'])
    await expect(likeButton(card(page, 'First'))).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByRole('button', { name: /edit|delete/i })).toHaveCount(0)
  })

  await test.step('one that is liked no more stays under the finger until the next visit', async () => {
    const visitAgain = async () => {
      await navLink(page, 'Upload').click()
      await expect(heading(page, 'Upload Notes')).toBeVisible()
      const asked = nextCall(page, listCall)
      await navLink(page, 'Liked').click()
      expect(queryOf(await asked)).toEqual({})
      await expect(heading(page, 'Liked Notes')).toBeVisible()
    }
    await press(page, likeButton(card(page, 'First')))
    await expectTitles(page, ['First'])
    await press(page, likeButton(card(page, 'First')))
    await visitAgain()
    await expectTitles(page, ['First'])
    await press(page, dislikeButton(card(page, 'First')))
    await visitAgain()
    await expect(titles(page)).toHaveCount(0)
  })

  await Promise.all([...pages, first].map((note) => rate(mia, note?._id ?? '', { likes: '+' })))
  await rate(await createStudent(), pages[7]?._id ?? '', { likes: '+' })

  await test.step('a search among them, and the rest of them', async () => {
    await page.goto('/liked-notes')
    const form = searchBar(page, 'Search Liked Notes')
    await expect(titles(page)).toHaveCount(24)
    await form.title.fill('page')
    await form.courseCode.fill(courseCode)
    const searched = nextCall(page, listCall)
    await form.sortBy.selectOption({ label: 'Most Liked' })
    const asked = { title: 'page', courseCode, sortBy: 'likes' }
    expect(queryOf(await searched)).toEqual(asked)
    await expect(page).toHaveURL(`/liked-notes?title=page&courseCode=${courseCode}&sortBy=likes`)
    await expect(card(page, 'First')).toHaveCount(0)
    await expect(titles(page)).toHaveCount(24)
    await expect(likeButton(cards(page).first())).toHaveText(/2$/)
    const last = await titles(page).last().getAttribute('data-note-open')
    const more = nextCall(page, listCall)
    await loadMore(page).click()
    expect(queryOf(await more)).toEqual({ ...asked, cursorId: last, cursorValue: '1' })
    await expect(titles(page)).toHaveCount(25)
    await expect(loadMore(page)).toHaveCount(0)
  })

  await test.step('the profile shows the latest of them and links to the rest', async () => {
    await page.getByRole('link', { name: 'Mia Lund' }).click()
    const liked = page.getByRole('region', { name: 'Liked Notes', exact: true })
    await expect(cards(liked)).toHaveCount(24)
    await expect(loadMore(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: /edit|delete/i })).toHaveCount(0)
  })
})
