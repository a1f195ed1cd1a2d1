import { expect, type Locator, type Page } from '@playwright/test'
import type { NotePage } from '../packages/contract/search.ts'
import { clickForToast, follow } from './actions.ts'
import { logIn } from './forms.ts'
import {
  card,
  cards,
  dislikeButton,
  expectEachOnce,
  expectOpensNewTab,
  expectTitles,
  fetchError,
  likeButton,
  loadMore,
  noNotesFound,
  noteNotFoundMessage,
  titleLink,
  titles,
} from './note-lists.ts'
import { deleteNote, rate, shareNote, uploadMany } from './notes.ts'
import { heading, main, toast, toasts, uniqueCourseCode } from './page.ts'
import { expectQuery, holdRequests, listCalls, mockServerError, queryOf } from './requests.ts'
import { searchBar } from './search-bar.ts'
import { ownServerTest, test } from './test.ts'

// This time zone is a day ahead for half of every day, so a card with the server's time would be noticed.
const timeZone = 'Pacific/Auckland'
test.use({ timezoneId: timeZone })

/** Formats like `21 Nov 2026, 22:30`, in that time zone. */
function formatInTimeZone(isoTime: string): string {
  const format = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  })
  const parts = format.formatToParts(new Date(isoTime))
  const { day, month, year, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${day} ${month} ${year}, ${hour}:${minute}`
}

const viewFailed = 'Failed to view note. Please try again later.'
const listCall = '/api/notes'
const listUrl = /\/api\/notes(\?|$)/

/** Returns the number of cards in the first row. */
const columns = (page: Page) =>
  cards(page).evaluateAll((articles) => {
    const tops = articles.map((article) => Math.round(article.getBoundingClientRect().top))
    return tops.filter((top) => top === tops[0]).length
  })

test('Browse is shown with its notes and all their facts @smoke', async ({ page, courseCode, createStudent, ben }) => {
  const mia = await createStudent({ name: 'Mia Lund' })
  const first = await shareNote(ben, 'Limits', { courseCode, academicYear: '2024–25', instructor: 'Dr. Osei' })
  await shareNote(ben, 'Nameless', { courseCode, isAnonymous: true })
  await shareNote(mia, 'Own', { courseCode })
  await shareNote(mia, 'Own and nameless', { courseCode, isAnonymous: true })
  const latest = await shareNote(ben, 'Without an instructor', { courseCode })
  await rate(mia, first._id, { likes: '+' })
  await rate(mia, latest._id, { dislikes: '+' })

  // A visitor logs in first, and the page before stays until the notes are here.
  await page.goto(`/browse?courseCode=${courseCode}`)
  const held = await holdRequests(page, listUrl)
  await logIn(page, mia)
  await expect.poll(() => held.requests.length).toBe(1)
  await expect(heading(page, 'Login to Lectern')).toBeVisible()
  await expect(heading(page, 'Browse Notes')).toHaveCount(0)
  held.release()
  await expect(heading(page, 'Browse Notes')).toBeFocused()
  await expect(searchBar(page).bar.getByRole('heading', { name: 'Search Notes', exact: true })).toBeVisible()
  await expectTitles(page, ['Without an instructor', 'Own and nameless', 'Own', 'Nameless', 'Limits'])

  const uploaded = formatInTimeZone(first.createdAt)
  const facts = (title: string) => card(page, title).getByRole('definition')
  await expect(facts('Limits')).toHaveText([courseCode, '2024–25', 'Dr. Osei', 'Ben Ito', uploaded])
  await expect(likeButton(card(page, 'Limits'))).toHaveText(/^Like\s*1$/)
  await expect(likeButton(card(page, 'Limits'))).toHaveAccessibleName('Like 1: Limits')
  await expect(dislikeButton(card(page, 'Limits'))).toHaveAccessibleName('Dislike 0: Limits')
  await expect(dislikeButton(card(page, 'Limits'))).toHaveText(/^Dislike\s*0$/)
  await expect(facts('Without an instructor').nth(2)).toHaveText('-')
  await expect(likeButton(card(page, 'Without an instructor'))).toHaveText(/^Like\s*0$/)
  await expect(dislikeButton(card(page, 'Without an instructor'))).toHaveText(/^Dislike\s*1$/)
  await expect(facts('Nameless').nth(3)).toHaveText('-')
  await expect(facts('Own').nth(3)).toHaveText('You')
  await expect(facts('Own and nameless').nth(3)).toHaveText('You')

  // Nothing can be edited or deleted here, not even your own notes.
  await expect(page.getByRole('button', { name: /edit|delete/i })).toHaveCount(0)

  // One column on a phone, growing to two, three and four.
  for (const [width, expected] of [
    [360, 1],
    [390, 1],
    [768, 2],
    [1100, 3],
    [1440, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => columns(page), `at ${width} pixels`).toBe(expected)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }

  // On a phone the fields are folded, and what is set is counted.
  await page.setViewportSize({ width: 390, height: 844 })
  const form = searchBar(page)
  const fold = form.bar.getByRole('button', { name: 'Filters 1 active' })
  await expect(fold).toHaveAttribute('aria-expanded', 'false')
  await expect(form.box).toBeVisible()
  await expect(form.courseCode).toBeHidden()
  await fold.click()
  for (const field of [form.title, form.courseCode, form.academicYear, form.instructor, form.sortBy])
    await expect(field).toBeVisible()
  await form.instructor.fill('osei')
  await form.search.click()
  await expectTitles(page, ['Limits'])
})

ownServerTest('a search is in the address, for reload, back and forward', async ({ page, mia, ben, courseCode }) => {
  await shareNote(ben, 'Limits week 1', { courseCode, academicYear: '2024–25', instructor: 'Dr. Osei' })
  await shareNote(ben, 'Limits week 2', { courseCode, academicYear: '2025–26', instructor: 'Dr. Osei' })
  const liked = await shareNote(ben, 'Limits week 3', { courseCode, academicYear: '2024–25' })
  await shareNote(ben, 'Integrals', { courseCode })
  await rate(mia, liked._id, { likes: '+' })
  await page.goto('/browse')
  const form = searchBar(page)
  const all = ['Integrals', 'Limits week 3', 'Limits week 2', 'Limits week 1']

  // Enter searches, and so does the button, with all four fields.
  await expect(form.title).toHaveAttribute('type', 'search')
  await form.courseCode.fill(` ${courseCode.toLowerCase()} `)
  await expectQuery(page, listCall, () => form.courseCode.press('Enter'), { courseCode: courseCode.toLowerCase() })
  await expectTitles(page, all)

  await form.title.fill('limits')
  await form.courseCode.fill(courseCode)
  await form.academicYear.selectOption('2024–25')
  await form.instructor.fill('osei')
  const asked = { title: 'limits', courseCode, academicYear: '2024–25', instructor: 'osei' }
  await expectQuery(page, listCall, () => form.search.click(), asked)
  await expectTitles(page, ['Limits week 1'])
  await expect(page).toHaveURL((url) => `${url.searchParams}` === `${new URLSearchParams(asked)}`)
  expect(new URL(page.url()).pathname).toBe('/browse')

  await page.goBack()
  await expectTitles(page, all)
  await expect(form.title).toHaveValue('')
  await page.goForward()
  await expectTitles(page, ['Limits week 1'])
  await page.reload()
  await expectTitles(page, ['Limits week 1'])
  await expect(form.title).toHaveValue('limits')
  await expect(form.courseCode).toHaveValue(courseCode)
  await expect(form.academicYear).toHaveValue('2024–25')
  await expect(form.instructor).toHaveValue('osei')
  await expect(form.sortBy).toHaveValue('createdAt')

  // Another sort order searches again, with the fields as typed.
  await expect(form.sortBy.getByRole('option')).toHaveText(['Most Recent', 'Most Liked'])
  await form.academicYear.selectOption({ label: 'Any year' })
  await form.instructor.fill('')
  await expectQuery(page, listCall, () => form.sortBy.selectOption({ label: 'Most Liked' }), {
    title: 'limits',
    courseCode,
    sortBy: 'likes',
  })
  await expect(titles(page)).toHaveText([/^Limits week 3/, /^Limits/, /^Limits/])
  await expect(page).toHaveURL(`/browse?title=limits&courseCode=${courseCode}&sortBy=likes`)

  // Clear filters empties the four fields and resets the sort order.
  await form.academicYear.selectOption('2024–25')
  await form.instructor.fill('typed, not searched')
  await expectQuery(page, listCall, () => form.clear.click(), {})
  await expect(page).toHaveURL('/browse')
  for (const field of [form.title, form.courseCode, form.academicYear, form.instructor]) {
    await expect(field).toHaveValue('')
  }
  await expect(form.sortBy).toHaveValue('createdAt')

  // And loads the list again where there was nothing to clear.
  const fresh = await shareNote(ben, 'Shared a moment ago', { courseCode })
  await form.instructor.fill('typed, not searched')
  await expectQuery(page, listCall, () => form.clear.click(), {})
  await expect(page.locator(`[data-note-open="${fresh._id}"]`)).toBeVisible()
  await expect(form.instructor).toHaveValue('')
  await expect(page).toHaveURL('/browse')
})

test('while a search is loading its inputs are disabled; one without matches offers others', async ({
  page,
  mia,
  ben,
  courseCode,
}) => {
  await shareNote(ben, 'Graphs', { courseCode })
  await page.goto(`/browse?courseCode=${courseCode}`)
  const form = searchBar(page)
  await expectTitles(page, ['Graphs'])

  await form.title.fill('graphs')

  const expectHeld = async (focused: Locator, search: () => Promise<unknown>, whileHeld = async () => {}) => {
    const held = await holdRequests(page, listUrl)
    await search()
    for (const input of [form.box, form.title, form.courseCode, form.academicYear, form.instructor, form.sortBy]) {
      await expect(input).toBeDisabled()
    }
    await expect(form.search).toBeDisabled()
    await expect(form.clear).toHaveAttribute('aria-disabled', 'true')
    await whileHeld()
    // Neither an old note nor a placeholder can be opened or rated meanwhile.
    await expect(main(page).getByRole('article').getByRole('button', { disabled: false })).toHaveCount(0)
    await expect.poll(() => held.requests.length).toBe(1)
    held.release()
    await expect(form.title).toBeEnabled()
    await expect(focused).toBeFocused()
    await expectTitles(page, ['Graphs'])
    expect(held.requests).toHaveLength(1)
  }
  await expectHeld(form.title, () => form.title.press('Enter'))
  await expect(page).toHaveURL(`/browse?title=graphs&courseCode=${courseCode}`)
  await form.sortBy.focus()
  await expectHeld(form.sortBy, () => form.sortBy.selectOption('likes'))
  await expectHeld(
    form.clear,
    () => form.search.click(),
    () => form.clear.click({ force: true }),
  )
  await expect(page).toHaveURL(`/browse?title=graphs&courseCode=${courseCode}&sortBy=likes`)

  // A search without matches says so, and offers others.
  await page.goto(`/browse?title=graphs&courseCode=${courseCode.toLowerCase()}&academicYear=2019-20&instructor=osei`)
  await expect(noNotesFound(page)).toBeVisible()
  // Removing a single filter does not find anything here.
  await page.getByRole('button', { name: 'Show all notes' }).click()
  await expect(page).toHaveURL('/browse')
  await expect(noNotesFound(page)).toHaveCount(0)

  await page.goto(`/browse?title=graphs&courseCode=${courseCode}&academicYear=2019–20`)
  await expect(noNotesFound(page)).toBeVisible()
  await page.getByRole('button', { name: 'Search all years' }).click()
  await expectTitles(page, ['Graphs'])
  await expect(page).toHaveURL(`/browse?title=graphs&courseCode=${courseCode}`)
  await expect(form.title).toHaveValue('graphs')
})

test('Load More continues after the last note, shows each once @smoke', async ({ page, mia, ben, courseCode }) => {
  const shared = await uploadMany(ben, 27, courseCode)
  await Promise.all(shared.slice(0, 25).map((note) => rate(mia, note._id, { likes: '+' })))
  const calls = listCalls(page, /^\/api\/notes$/)

  /** Opens a search and returns the first page as the server sent it. */
  const open = async (search: string): Promise<NotePage> => {
    const answer = page.waitForResponse((response) => new URL(response.url()).pathname === listCall)
    await page.goto(`/browse?${search}`)
    await expect(titles(page)).toHaveCount(24)
    return (await answer).json()
  }
  const expectAll = async () => {
    await expectEachOnce(page, shared)
    await expect(loadMore(page)).toHaveCount(0)
  }

  // By time, and not at first.
  const last = (await open(`title=page&courseCode=${courseCode}`)).notes.at(-1)
  await mockServerError(page, /cursorId=/)
  await clickForToast(loadMore(page), 'Failed to load more notes. Please try again later.')
  await expect(main(page).getByText(fetchError)).toBeVisible()
  await expect(titles(page)).toHaveCount(24)
  await page.unrouteAll()

  const held = await holdRequests(page, /cursorId=/)
  await loadMore(page).focus()
  await page.keyboard.press('Enter')
  await expect(loadMore(page)).toHaveAttribute('aria-busy', 'true')
  await page.keyboard.press('Enter')
  await expect(cards(page).first().getByRole('button').first()).toBeDisabled()
  held.release()
  await expectAll()
  expect(held.requests.map(queryOf)).toEqual([
    { title: 'page', courseCode, sortBy: 'createdAt', cursorId: last?._id, cursorValue: last?.createdAt },
  ])
  // The first of the new notes gets the focus.
  await expect(titles(page).nth(24)).toBeFocused()
  await expect(main(page).getByText(fetchError)).toHaveCount(0)

  // How far one had come is kept while one is elsewhere.
  await follow(page, 'Liked', 'Liked Notes')
  calls.length = 0
  await page.goBack()
  await expect(heading(page, 'Browse Notes')).toBeVisible()
  await expectAll()
  expect(calls).toEqual([])

  // A search that fails leaves no notes and nothing more to load.
  await open(`courseCode=${courseCode}`)
  await mockServerError(page, listUrl)
  await searchBar(page).title.fill('page')
  await searchBar(page).search.click()
  await expect(main(page).getByText(fetchError, { exact: true }).and(page.locator(':not([role=status])'))).toBeVisible()
  await expect(cards(page)).toHaveCount(0)
  await expect(loadMore(page)).toHaveCount(0)
  await expect(main(page).getByText('No notes were found.')).toHaveCount(0)

  await expectQuery(page, listCall, () => page.getByRole('button', { name: 'Try again' }).click(), {
    title: 'page',
    courseCode,
  })
  await expect(searchBar(page).title).toBeEnabled()
  await expect(main(page).getByText(fetchError)).not.toHaveCount(0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(titles(page)).toHaveCount(24)
  await expect(main(page).getByText(fetchError)).toHaveCount(0)
  await expect(loadMore(page)).toBeVisible()
})

test('a note opens in a new tab and comes first under Recently viewed @smoke', async ({ page, context, mia, ben }) => {
  const courseCode = uniqueCourseCode()
  const doomed = await shareNote(ben, 'Deleted meanwhile', { courseCode })
  await shareNote(ben, 'Second', { courseCode })
  await shareNote(ben, 'First', { courseCode })
  const browse = `/browse?courseCode=${courseCode}`
  const recent = page.getByRole('region', { name: 'Recently viewed' })
  const openInTab = (title: string) => expectOpensNewTab(page, () => titleLink(page, title).click())

  // The last one opened comes first, once.
  await page.goto(browse)
  await openInTab('First')
  await openInTab('Second')
  const [first, second] = await titles(page).evaluateAll((all) => all.map((each) => each.dataset.noteOpen))
  const list = JSON.stringify({ recentlyViewedNotes: [first, second] })
  // The request of an earlier note may come late.
  const sending = page.waitForRequest((sent) => sent.method() === 'PATCH' && sent.postData() === list)
  await openInTab('First')
  await (await sending).response()
  await page.getByRole('link', { name: 'Mia Lund' }).click()
  await expectTitles(recent, ['First', 'Second'])

  // A list that cannot be saved shows no error.
  await page.goto(browse)
  await mockServerError(page, /\/api\/users\/me$/, 'PATCH')
  const refused = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
  await openInTab('Second')
  expect((await refused).status()).toBe(500)
  await page.getByRole('link', { name: 'Lectern, home' }).click()
  await expectTitles(recent, ['Second', 'First'])
  await page.unrouteAll()
  await page.goBack()
  await expectTitles(page, ['First', 'Second', 'Deleted meanwhile'])

  await mockServerError(page, /\/view$/)
  const opened = context.waitForEvent('page')
  await titleLink(page, 'Deleted meanwhile').click()
  const tab = await opened
  await expect(toast(page, viewFailed)).toBeVisible()
  // Read without retries, because an earlier toast about the list would have disappeared by then.
  expect(await toasts(page).getByRole('listitem').allTextContents()).toEqual([viewFailed])
  await expect.poll(() => tab.isClosed()).toBe(true)
  await expect(cards(page)).toHaveCount(3)
  await page.unrouteAll()

  // A note its owner has deleted.
  await deleteNote(ben, doomed._id)
  await clickForToast(titleLink(page, 'Deleted meanwhile'), noteNotFoundMessage)
  await expectTitles(page, ['First', 'Second'])
})
