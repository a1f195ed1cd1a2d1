import { expect, type Locator, type Page } from '@playwright/test'
import { holdRequests } from './hold-requests.ts'
import {
  card,
  cards,
  dislikeButton,
  expectTitles,
  likeButton,
  mockDelayedServerError,
  noteNotFoundMessage,
} from './note-lists.ts'
import { deleteNote, rate, shareNote, uniqueCourseCode } from './notes.ts'
import { test } from './test.ts'
import { toast, toasts } from './toasts.ts'

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

const nextRating = (page: Page) => page.waitForResponse((answer) => ratingUrl.test(answer.url()))

test('like and dislike toggle and exclude one another @smoke', async ({ page, createStudent, mia, ben }) => {
  const courseCode = uniqueCourseCode()
  const note = await shareNote(ben, 'Limits', { courseCode })
  await shareNote(mia, 'Own', { courseCode })
  await page.goto(`/browse?courseCode=${courseCode}`)
  const limits = card(page, 'Limits')

  await test.step('immediately, and then as the server responds', async () => {
    await expectRating(limits, 0, 0, 'none')
    // The page learns of this dislike only from the response.
    await rate(await createStudent(), note._id, { dislikes: '+' })
    const held = await holdRequests(page, ratingUrl, 'PATCH')
    await likeButton(limits).click()
    await expectRating(limits, 1, 0, 'liked')
    // The request does not block the navigation.
    await expect(page.getByRole('button', { name: 'Logout' })).toBeEnabled()
    // Only one request is sent at a time, so further clicks are ignored.
    for (const button of [dislikeButton, likeButton]) {
      await button(limits).click()
      await expectRating(limits, 1, 0, 'liked')
    }
    held.release()
    await expectRating(limits, 1, 1, 'liked')
    expect(held.requests.map((sent) => sent.postDataJSON())).toEqual([{ likes: '+' }])
  })

  await test.step('every step, as it is sent and as it stays', async () => {
    const press = async (button: Locator, sent: object, likes: number, dislikes: number, opinion: Opinion) => {
      const answer = nextRating(page)
      await button.click()
      expect((await answer).request().postDataJSON()).toEqual(sent)
      expect((await answer).ok()).toBe(true)
      await expectRating(limits, likes, dislikes, opinion)
    }
    await press(dislikeButton(limits), { likes: '-', dislikes: '+' }, 0, 2, 'disliked')
    await page.reload()
    await expectRating(limits, 0, 2, 'disliked')
    await press(likeButton(limits), { likes: '+', dislikes: '-' }, 1, 1, 'liked')
    await press(likeButton(limits), { likes: '-' }, 0, 1, 'none')
    await press(dislikeButton(limits), { dislikes: '+' }, 0, 2, 'disliked')
    await press(dislikeButton(limits), { dislikes: '-' }, 0, 1, 'none')
    await press(likeButton(limits), { likes: '+' }, 1, 1, 'liked')
    await page.reload()
    await expectRating(limits, 1, 1, 'liked')
  })

  await test.step('authors cannot rate their own notes', async () => {
    const own = card(page, 'Own')
    await expectRating(own, 0, 0, 'none')
    for (const button of [likeButton(own), dislikeButton(own)]) {
      await expect(button).toBeDisabled()
      await button.click({ force: true })
    }
    await expectRating(own, 0, 0, 'none')
  })
})

test('a rating that fails is taken back and said', async ({ page, mia, ben }) => {
  const courseCode = uniqueCourseCode()
  const oldest = await shareNote(ben, 'Liked first', { courseCode })
  const disliked = await shareNote(ben, 'Disliked', { courseCode })
  const latest = await shareNote(ben, 'Liked last', { courseCode })
  await shareNote(ben, 'Neither', { courseCode })
  for (const note of [oldest, latest]) await rate(mia, note._id, { likes: '+' })
  await rate(mia, disliked._id, { dislikes: '+' })
  await page.goto(`/browse?courseCode=${courseCode}`)

  await test.step('each of the four, with its own words', async () => {
    const expectTakenBack = async (
      title: string,
      button: (of: Locator) => Locator,
      meanwhile: [likes: number, dislikes: number, opinion: Opinion],
      before: [likes: number, dislikes: number, opinion: Opinion],
      failure: string,
    ) => {
      const release = await mockDelayedServerError(page, ratingUrl, 'PATCH')
      await button(card(page, title)).click()
      await expectRating(card(page, title), ...meanwhile)
      release()
      await expect(toast(page, failure)).toBeVisible()
      await expectRating(card(page, title), ...before)
      await page.unrouteAll()
    }
    await expectTakenBack('Neither', likeButton, [1, 0, 'liked'], [0, 0, 'none'], likeFailed)
    await expectTakenBack('Liked first', likeButton, [0, 0, 'none'], [1, 0, 'liked'], unlikeFailed)
    await expectTakenBack('Neither', dislikeButton, [0, 1, 'disliked'], [0, 0, 'none'], dislikeFailed)
    await expectTakenBack('Disliked', dislikeButton, [0, 0, 'none'], [0, 1, 'disliked'], undislikeFailed)
  })

  await test.step('a message of the server’s own is shown instead', async () => {
    await page.goto(`/browse?courseCode=${courseCode}`)
    await expect(cards(page)).toHaveCount(4)
    await deleteNote(ben, latest._id)
    await likeButton(card(page, 'Liked last')).click()
    await expect(toast(page, noteNotFoundMessage)).toBeVisible()
    // Read without retries, because a second toast would disappear again.
    expect(await toasts(page).getByRole('listitem').allTextContents()).toEqual([noteNotFoundMessage])
    await expectTitles(page, ['Neither', 'Disliked', 'Liked first'])
  })
})

test('a user who returns to the tab sees what changed meanwhile', async ({ page, mia, ben }) => {
  const courseCode = uniqueCourseCode()
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
