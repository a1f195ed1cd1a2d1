import { expect, type Locator, type Page } from '@playwright/test'
import { clickForToast, clickTo, follow, open } from './actions.ts'
import {
  card,
  cards,
  dislikeButton,
  expectTitles,
  likeButton,
  loadMore,
  noteNotFoundMessage,
  titles,
} from './note-lists.ts'
import { ask, deleteNote, rate, shareNote, uploadMany } from './notes.ts'
import { heading, main, region, toast, toasts } from './page.ts'
import { expectQuery, holdRequests, mockServerError } from './requests.ts'
import { searchBar } from './search-bar.ts'
import { test } from './test.ts'

const ratingUrl = /\/api\/notes\/[^/]+\/rating$/
const likeFailed = 'Failed to like note. Please try again later.'
const unlikeFailed = 'Failed to remove like from note. Please try again later.'
const dislikeFailed = 'Failed to dislike note. Please try again later.'
const undislikeFailed = 'Failed to remove dislike from note. Please try again later.'

type Opinion = 'liked' | 'disliked' | 'none'

async function expectRating(of: Locator, likes: number, dislikes: number, opinion: Opinion) {
  await expect(likeButton(of)).toHaveText(new RegExp(`^Like\\s*${likes}$`))
  await expect(dislikeButton(of)).toHaveText(new RegExp(`^Dislike\\s*${dislikes}$`))
  await expect(likeButton(of)).toHaveAttribute('aria-pressed', String(opinion === 'liked'))
  await expect(dislikeButton(of)).toHaveAttribute('aria-pressed', String(opinion === 'disliked'))
}

/** Presses a rating button and returns the change that was sent, once the server has accepted it. */
async function press(page: Page, button: Locator): Promise<unknown> {
  const answer = page.waitForResponse(ratingUrl)
  await button.click()
  expect((await answer).status()).toBe(200)
  return (await answer).request().postDataJSON()
}

test('like and dislike toggle and exclude each other @smoke', async ({ page, createStudent, mia, ben, courseCode }) => {
  const note = await shareNote(ben, 'Limits', { courseCode })
  await shareNote(mia, 'Own', { courseCode })
  await page.goto(`/browse?courseCode=${courseCode}`)
  const limits = card(page, 'Limits')

  // Immediately, and then as the server responds.
  await expectRating(limits, 0, 0, 'none')
  // The page learns of this dislike only from the response.
  await rate(await createStudent(), note._id, { dislikes: '+' })
  const held = await holdRequests(page, ratingUrl, 'PATCH')
  await likeButton(limits).click()
  await expectRating(limits, 1, 0, 'liked')
  // The request does not block the navigation.
  await expect(page.getByRole('button', { name: 'Logout' })).toBeEnabled()
  // Only one request is sent at a time, so further clicks wait, and the last one wins.
  await dislikeButton(limits).click()
  await expectRating(limits, 0, 1, 'disliked')
  await likeButton(limits).click()
  await expectRating(limits, 1, 0, 'liked')
  const bodies = () => held.requests.map((request) => request.postDataJSON())
  expect(bodies()).toEqual([{ likes: '+' }])
  held.release()
  await expect.poll(bodies).toEqual([{ likes: '+' }, { dislikes: '+' }, { likes: '+' }])
  await Promise.all(held.requests.map((request) => request.response()))
  await expectRating(limits, 1, 1, 'liked')

  // Every step, as it is sent and as it stays.
  const expectSent = async (button: Locator, sent: object, likes: number, dislikes: number, opinion: Opinion) => {
    expect(await press(page, button)).toEqual(sent)
    await expectRating(limits, likes, dislikes, opinion)
  }
  await expectSent(dislikeButton(limits), { dislikes: '+' }, 0, 2, 'disliked')
  await expectSent(likeButton(limits), { likes: '+' }, 1, 1, 'liked')
  await expectSent(likeButton(limits), { likes: '-', dislikes: '-' }, 0, 1, 'none')
  await expectSent(dislikeButton(limits), { dislikes: '+' }, 0, 2, 'disliked')
  await page.reload()
  await expectRating(limits, 0, 2, 'disliked')
  await expectSent(dislikeButton(limits), { likes: '-', dislikes: '-' }, 0, 1, 'none')

  // Some users double-click everything.
  const liked = page.waitForResponse(ratingUrl)
  await likeButton(limits).dblclick({ delay: 50 })
  await liked
  await expectRating(limits, 1, 1, 'liked')

  const own = card(page, 'Own')
  await expectRating(own, 0, 0, 'none')
  for (const button of [likeButton(own), dislikeButton(own)]) await expect(button).toBeDisabled()
})

test('a rating that fails is rolled back with a message', async ({ page, mia, ben, courseCode }) => {
  const oldest = await shareNote(ben, 'Liked first', { courseCode })
  const disliked = await shareNote(ben, 'Disliked', { courseCode })
  const latest = await shareNote(ben, 'Liked last', { courseCode })
  await shareNote(ben, 'Neither', { courseCode })
  for (const note of [oldest, latest]) await rate(mia, note._id, { likes: '+' })
  await rate(mia, disliked._id, { dislikes: '+' })
  await page.goto(`/browse?courseCode=${courseCode}`)

  // Each of the four, with its own words.
  const expectTakenBack = async (
    title: string,
    button: (of: Locator) => Locator,
    meanwhile: [likes: number, dislikes: number, opinion: Opinion],
    before: [likes: number, dislikes: number, opinion: Opinion],
    failure: string,
  ) => {
    await mockServerError(page, ratingUrl, 'PATCH')
    const held = await holdRequests(page, ratingUrl, 'PATCH')
    await button(card(page, title)).click()
    await expectRating(card(page, title), ...meanwhile)
    held.release()
    await expect(toast(page, failure)).toBeVisible()
    await expectRating(card(page, title), ...before)
    await page.unrouteAll()
  }
  await expectTakenBack('Neither', likeButton, [1, 0, 'liked'], [0, 0, 'none'], likeFailed)
  await expectTakenBack('Liked first', likeButton, [0, 0, 'none'], [1, 0, 'liked'], unlikeFailed)
  await expectTakenBack('Neither', dislikeButton, [0, 1, 'disliked'], [0, 0, 'none'], dislikeFailed)
  await expectTakenBack('Disliked', dislikeButton, [0, 0, 'none'], [0, 1, 'disliked'], undislikeFailed)

  // A message of the server’s own is shown instead.
  await page.goto(`/browse?courseCode=${courseCode}`)
  await expect(cards(page)).toHaveCount(4)
  await deleteNote(ben, latest._id)
  await clickForToast(likeButton(card(page, 'Liked last')), noteNotFoundMessage)
  // Read without retries, because a second toast would disappear again.
  expect(await toasts(page).getByRole('listitem').allTextContents()).toEqual([noteNotFoundMessage])
  await expectTitles(page, ['Neither', 'Disliked', 'Liked first'])
})

test('a user who returns to the tab sees what changed meanwhile', async ({ page, mia, ben, courseCode }) => {
  const [first, deleted] = [
    await shareNote(ben, 'Limits', { courseCode }),
    await shareNote(ben, 'Deleted elsewhere', { courseCode }),
  ]
  await shareNote(ben, 'Series', { courseCode })
  await page.goto(`/browse?courseCode=${courseCode}`)
  await expectTitles(page, ['Series', 'Deleted elsewhere', 'Limits'])
  await rate(mia, first._id, { likes: '+' })
  await deleteNote(ben, deleted._id)
  // Headless browsers never hide a tab.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expectTitles(page, ['Series', 'Limits'])
  await expectRating(card(page, 'Limits'), 1, 0, 'liked')
})

const listCall = '/api/users/me/notes/liked'

test('Liked Notes are searched, sorted and loaded @smoke', async ({ page, createStudent, mia, ben, courseCode }) => {
  const pages = await uploadMany(ben, 26, courseCode)
  const first = await shareNote(ben, 'First', { courseCode })
  await shareNote(ben, 'Not liked', { courseCode })
  await shareNote(mia, 'Own', { courseCode })

  // Nothing yet.
  await page.goto('/liked-notes')
  const bar = searchBar(page, 'Search Liked Notes').bar
  await expect(bar.getByRole('heading', { name: 'Search Liked Notes', exact: true })).toBeVisible()
  await expect(main(page).getByText('No notes were found.', { exact: true })).not.toHaveCount(0)
  await clickTo(main(page).getByRole('link', { name: 'Browse notes' }), 'Browse Notes')

  // A note comes here when it is liked, and nothing can be edited or deleted.
  await searchBar(page).courseCode.fill(courseCode)
  await searchBar(page).search.click()
  await press(page, likeButton(card(page, 'First')))
  await follow(page, 'Liked', 'Liked Notes')
  await expectTitles(page, ['First'])
  await expect(likeButton(card(page, 'First'))).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name: /edit|delete/i })).toHaveCount(0)

  // One that is liked no more stays under the finger until the next visit.
  await press(page, likeButton(card(page, 'First')))
  await expectTitles(page, ['First'])
  await follow(page, 'Upload', 'Upload Notes')
  await expectQuery(page, listCall, () => follow(page, 'Liked', 'Liked Notes'), {})
  await expect(titles(page)).toHaveCount(0)

  await Promise.all([...pages, first].map((note) => rate(mia, note?._id ?? '', { likes: '+' })))
  await rate(await createStudent(), pages[7]?._id ?? '', { likes: '+' })

  // A search among them, and the rest of them.
  await page.goto('/liked-notes')
  const form = searchBar(page, 'Search Liked Notes')
  await expect(titles(page)).toHaveCount(24)
  await form.title.fill('page')
  await form.courseCode.fill(courseCode)
  const wanted = { title: 'page', courseCode, sortBy: 'likes' }
  await expectQuery(page, listCall, () => form.sortBy.selectOption({ label: 'Most Liked' }), wanted)
  await expect(page).toHaveURL(`/liked-notes?title=page&courseCode=${courseCode}&sortBy=likes`)
  await expect(card(page, 'First')).toHaveCount(0)
  await expect(titles(page)).toHaveCount(24)
  await expect(likeButton(cards(page).first())).toHaveText(/2$/)
  await loadMore(page).click()
  await expect(titles(page)).toHaveCount(26)
  await expect(loadMore(page)).toHaveCount(0)

  // Back from the reader all are there again, except the one that is no longer liked.
  await cards(page).last().getByRole('link', { name: /^Read/ }).click()
  await expect(page).toHaveURL(/\/notes\//)
  await press(page, likeButton(main(page)).first())
  await page.goBack()
  await expect(titles(page)).toHaveCount(25)

  // The profile shows the latest of them and links to the rest.
  await page.getByRole('link', { name: 'Mia Lund' }).click()
  await expect(cards(region(page, 'Liked Notes'))).toHaveCount(24)
  await expect(loadMore(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /edit|delete/i })).toHaveCount(0)
})

test('the profile shows the user, their recently viewed and their liked notes @phone', async ({ page, mia, ben }) => {
  const [own, last] = [await shareNote(mia, 'My own page'), await shareNote(ben, 'Seen last')]
  await open(page, '/', 'Welcome, Mia!')

  // Reached by one’s name, behind an overlay until it is up to date.
  const held = await holdRequests(page, /\/api\/users\/me$/)
  await page.getByRole('banner').getByRole('link', { name: 'Mia Lund' }).click()
  await expect(page).toHaveURL('/profile')
  await expect(page.getByRole('status').getByText('Loading your profile…')).toBeVisible()
  held.release()
  await expect(page.getByText('Loading your profile…')).toHaveCount(0)

  await expect(heading(page, 'Mia Lund')).toBeVisible()
  await expect(page.getByText(mia.email)).toBeVisible()
  await expect(region(page, 'Recently Viewed')).toContainText('You haven’t viewed any notes yet.')
  await expect(region(page, 'Liked Notes')).toContainText('You haven’t liked any notes yet.')

  // The last ones viewed and liked come first.
  await ask(mia, 'PATCH', '/api/users/me', { recentlyViewedNotes: [last._id, own._id] })
  await rate(mia, last._id, { likes: '+' })
  await page.reload()
  const titles = region(page, 'Recently Viewed').getByRole('article').getByRole('heading')
  await expect(titles).toHaveText([/Seen last/, /My own page/])
  await expect(region(page, 'Liked Notes').getByRole('article')).toHaveText([/Seen last/])

  // Returning to the tab blocks nothing.
  await expect(page.getByText('Loading your profile…')).toHaveCount(0)
  const like = likeButton(region(page, 'Liked Notes'))
  await like.focus()
  const refreshed = await holdRequests(page, /\/api\/users\/me$/)
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect.poll(() => refreshed.requests.length).toBe(1)
  await expect(page.getByText('Loading your profile…')).toHaveCount(0)
  await expect(like).toBeFocused()
  refreshed.release()
})
