import { expect, type Locator, type Page } from '@playwright/test'
import { courseCodeLength, titleLength } from '../packages/contract/limits.ts'
import { onePagePdf } from '../server/testing/pdf.ts'
import { expectAccessible } from './accessible.ts'
import { clickTo, open } from './actions.ts'
import { logIn, submitButton } from './forms.ts'
import { card, cards, dislikeButton, likeButton, loadMore } from './note-lists.ts'
import { ask, rate, type SharedNote, shareFile, shareNote, shareNotes, uploadFile, uploadMany } from './notes.ts'
import { button, main, navLink, region, toasts, uniqueCourseCode } from './page.ts'
import { makeOutlinedPdf } from './pdfs.ts'
import { mockServerError } from './requests.ts'
import { searchBar } from './search-bar.ts'
import { ownServerTest, type Student, test } from './test.ts'

/** Opens a page and expects it to be accessible; the path names the screen. */
async function expectPageAccessible(page: Page, path: string, title: string | RegExp) {
  await open(page, path, title)
  await expectAccessible(page, path)
}

test('the pages for visitors pass axe and fit on a phone @smoke', async ({ page }) => {
  const screens = [
    { path: '/', heading: /Study notes/ },
    { path: '/forgot-password', heading: /Forgot/ },
    { path: '/reset-password?token=example', heading: /Reset/ },
    { path: '/verify?token=example', heading: 'Email Verification' },
    { path: '/verify/success', heading: 'Email Verified' },
    { path: '/verify/expired', heading: 'Link Expired' },
    { path: '/verify/invalid', heading: 'Invalid Link' },
    { path: '/verify/internal-error', heading: 'Something Went Wrong' },
    { path: '/unsubscribe?token=example', heading: 'Course emails' },
    { path: '/not-me?token=example', heading: 'Secure your account' },
    { path: '/confirm-email?token=example', heading: 'Confirm your new email' },
    { path: '/copyright', heading: 'Copyright' },
    { path: '/anonymity', heading: 'What “anonymous” means' },
    { path: '/no-such-page', heading: '404 Page Not Found' },
  ]
  for (const { path, heading } of screens) {
    await page.goto(path)
    // This comes first, because the page soon redirects.
    if (/verify\/|no-such/.test(path)) await page.getByRole('button', { name: 'Stay here' }).click()
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expectAccessible(page, path)
  }
  await open(page, '/browse?courseCode=CSC148', 'Login to Lectern')
  await expect(page.getByText('Log in to see notes for CSC148.')).toBeVisible()
  await expectAccessible(page, 'Login, for a page that waits')
  for (const name of ['Login', 'Register']) {
    await open(page, `/${name.toLowerCase()}`, name === 'Login' ? 'Login to Lectern' : name)
    await expectAccessible(page, name)
    await submitButton(page, name).click()
    await expect(toasts(page).getByRole('listitem').first()).toBeVisible()
    await page.getByRole('button', { name: /^Theme/ }).click()
    await expectAccessible(page, `${name}, refused, with a toast and the theme menu`)
  }
})

/** The longest title, which cannot be broken anywhere. */
const longestWord = 'w'.repeat(titleLength.max)

test.describe('no screen of a student has a fault that axe knows, nor is wider than a phone @smoke', () => {
  let course: string
  let mia: Student
  let ben: Student
  let own: SharedNote | undefined

  test.beforeEach(async ({ createStudent, signIn }, { testId }) => {
    course = `AXE${testId.slice(-6)}`.padEnd(courseCodeLength.max, 'C')
    mia = await createStudent({ name: 'Mia Łuczak-Österberg' })
    ben = await createStudent({ name: 'Ben Ito' })
    const details = { courseCode: course, isAnonymous: true }
    ;[own] = await shareNotes(mia, ['Limits and continuity', longestWord], details)
    const [derivatives] = await shareNotes(ben, ['Derivatives', 'Integrals'], { courseCode: course })
    const noteId = derivatives?._id ?? ''
    await rate(mia, noteId, { likes: '+' })
    await ask(mia, 'PATCH', '/api/users/me', { recentlyViewedNotes: [noteId] })
    await signIn(mia)
  })

  test('lists: full, empty, failed and loading', async ({ page }) => {
    await expectPageAccessible(page, `/browse?courseCode=${course}`, 'Browse Notes')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: /^Filters/ }).click()
    await expectAccessible(page, 'Browse with unfolded filters')
    await open(page, `/browse?courseCode=${course}&title=nowhere`, 'Browse Notes')
    await expect(page.getByText('No notes were found.').last()).toBeVisible()
    await expectAccessible(page, 'Browse without a result')
    await mockServerError(page, /\/api\/notes/)
    await page.reload()
    await expect(page.getByText('There was an error fetching your notes. Please try again.').last()).toBeVisible()
    await expectAccessible(page, 'Browse that failed')
    await page.unrouteAll()
    await expectPageAccessible(page, '/liked-notes', 'Liked Notes')
  })

  test('a search inside the notes, with and without results, and its suggestions', async ({ page }) => {
    await uploadFile(ben, 'Read by the server', onePagePdf, course)
    const marked = page.getByRole('article').locator('mark').first()
    await expect(async () => {
      await open(page, `/browse?q=notes&courseCode=${course}`, 'Results for “notes”')
      await expect(marked).toBeVisible({ timeout: 1_000 })
    }).toPass({ timeout: 60_000 })
    await expectAccessible(page, 'Results')
    await open(page, '/browse?q="two+words"', 'Results for "two words"')
    await open(page, `/browse?q=${course}+zyzzxq`, `Results for “${course} zyzzxq”`)
    await expect(page.getByRole('button', { name: /^Search for “/ })).toBeVisible()
    await expectAccessible(page, 'Results that are none')
    const box = page.getByRole('combobox', { name: 'Search inside notes' })
    await page.getByLabel('Search inside notes').focus()
    await expect(box).toBeFocused()
    await box.fill(course.slice(0, 5))
    await expect(page.getByRole('option').first()).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await expectAccessible(page, 'Suggestions')
  })

  test('courses, followed or not, and one with all filters set', async ({ page }) => {
    await open(page, `/courses/${course}`, course)
    await page.getByRole('button', { name: `Follow ${course}` }).click()
    await expectAccessible(page, 'A course')
    await open(page, `/courses/${course}?academicYear=2020–21`, course)
    await expect(page.getByText('No notes were found.').last()).toBeVisible()
    await expectAccessible(page, 'A course without a result')
    await open(page, '/courses', 'Courses')
    await expect(page.getByLabel('Email me about new notes')).toBeVisible()
    await expectAccessible(page, 'Courses')
    await page.keyboard.press('/')
    await page.keyboard.type(course)
    await expect(page.getByRole('option').nth(1)).toBeVisible()
    await expectAccessible(page, 'Courses with the box of the bar')
    await page.keyboard.press('Escape')
    await expectPageAccessible(page, `/courses?q=${'x'.repeat(100)}`, 'Courses')
    await expectPageAccessible(page, '/courses/NONE', 'Course not found')
  })

  test('own notes and their dialogs', async ({ page }) => {
    await expectPageAccessible(page, '/my-notes', 'My Notes')
    await page.getByRole('button', { name: 'Edit Note' }).first().click()
    const dialog = page.getByRole('dialog')
    await expectAccessible(page, 'Edit dialog')
    await dialog.getByLabel('Course Code').fill('')
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog.getByText('Please fill in all required fields.')).toBeVisible()
    await expectAccessible(page, 'Edit dialog, refused')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Delete Note' }).first().click()
    await expect(dialog.getByText('Are you sure you want to delete this note?')).toBeVisible()
    await expectAccessible(page, 'Delete dialog')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('checkbox', { name: 'Group by course' }).check()
    await page.getByRole('button', { name: 'Select notes' }).click()
    await page.getByRole('button', { name: /^Select all in / }).click()
    await expect(page.getByText('2 selected')).toBeVisible()
    await expectAccessible(page, 'My Notes by course, with several selected')
    await page.getByRole('button', { name: 'Edit selected notes' }).click()
    await dialog.getByRole('button', { name: 'Update 2 notes' }).click()
    await expectAccessible(page, 'Edit dialog of several, refused')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await mockServerError(page, /\/api\/users\/me\/notes\/[^/]+$/, 'DELETE')
    await page.getByRole('button', { name: 'Delete selected notes' }).click()
    await dialog.getByRole('button', { name: 'Delete 2 notes' }).click()
    await expect(dialog.getByText('0 of 2 notes deleted.')).toBeVisible()
    await expectAccessible(page, 'Delete dialog of several that failed')
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Done' }).click()
    // The statistics appear only after a rating.
    await rate(ben, own?._id ?? '', { likes: '+' })
    await open(page, '/my-notes', 'My Notes')
    await page.getByText('Show weekly numbers').click()
    await expectAccessible(page, 'My Notes with what came of sharing')
  })

  test('reports, moderation and decisions', async ({ page, signIn, createStudent }) => {
    const [zoe, max] = [await createStudent({ role: 'moderator' }), await createStudent({ role: 'moderator' })]
    await signIn(max)
    const topology = await shareNote(ben, longestWord, { isAnonymous: true })
    const rings = await shareNote(ben, 'A-title-without-any-blank-'.repeat(6), { isAnonymous: true })
    const own = await shareNote(max, 'Old exams')
    const text = `It is copied from a book:\n${'https://example.org/'.repeat(20)}`
    const report = { rule: 'copyright', text }
    for (const note of [topology, rings]) await ask(zoe, 'POST', `/api/notes/${note._id}/reports`, report)
    await ask(ben, 'POST', `/api/notes/${own._id}/reports`, report)
    const hide = { kind: 'hide', rule: 'copyright', reason: 'It is chapter 3 of a book.' }
    for (const note of [rings, own]) await ask(zoe, 'POST', `/api/moderation/notes/${note._id}/decisions`, hide)

    await expectPageAccessible(page, '/moderation', 'Moderation')
    // The dialogs are operated on a phone.
    await page.setViewportSize({ width: 360, height: 640 })
    const dialog = page.getByRole('dialog')
    await button(page, `Correct: ${longestWord}`).click()
    await dialog.getByRole('button', { name: 'Correct' }).click()
    await expect(dialog.getByText('This field is required.')).toBeVisible()
    await expectAccessible(page, 'Correction, refused')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await button(page, `Ask the author: ${longestWord}`).click()
    await expectAccessible(page, 'Question to an author')
    await button(page, 'Close').click()
    await open(page, '/my-notes', 'My Notes')
    await expect(page.getByRole('region', { name: 'Messages from moderators' })).toBeVisible()
    await expectAccessible(page, 'My Notes with a hidden one')
    await expectPageAccessible(page, '/rules', 'Guidelines')
    await expectPageAccessible(page, '/decisions', 'Moderation log')
    await open(page, `/notes/${topology._id}`, longestWord)
    // An element that covered the button would receive the click.
    await button(page, 'Share').click({ trial: true })
    await button(page, 'More').click()
    await page.getByRole('button', { name: 'Report note' }).click()
    await dialog.getByRole('button', { name: 'Send report' }).click()
    await expectAccessible(page, 'Report, refused')
  })

  ownServerTest('administration and closed registration', async ({ page, signIn, openBrowser, createStudent }) => {
    const sam = await createStudent({ name: `Sam ${'Reyes-'.repeat(12)}` })
    const admin = await signIn({ role: 'admin' })
    const reason = `They sold exams: ${'https://example.org/'.repeat(10)}`
    await ask(admin, 'POST', `/api/admin/members/${sam.id}/suspension`, { days: 7, reason, hidesNotes: false })
    await ask(admin, 'POST', '/api/admin/invitations', { email: `${'guest'.repeat(9)}@uni.example` })
    const set = (settings: object) => ask(admin, 'PATCH', '/api/admin/settings', settings)
    await set({
      announcement: { text: reason, days: 1 },
      registration: { mode: 'domains', domains: ['uni.example'] },
    })

    await open(page, '/admin', 'Admin')
    await expect(page.getByRole('region', { name: 'Site announcement' })).toBeVisible()
    await expectAccessible(page, 'Admin')
    await page.getByRole('button', { name: /^Lift suspension: Sam/ }).click()
    await expectAccessible(page, 'The end of a suspension')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel('Name or email').fill('Ben Ito')
    await page.getByRole('button', { name: 'Search accounts' }).click()
    for (const what of ['Change role', 'Set limit', 'Suspend']) {
      await button(page, new RegExp(`^${what}: Ben Ito`))
        .first()
        .click()
      await page.getByRole('dialog').locator('[type=submit]').click({ trial: true })
      await expectAccessible(page, what)
      await page.getByRole('button', { name: 'Cancel' }).click()
    }
    const visitor = await openBrowser()
    await expectPageAccessible(visitor, '/register', 'Register')
    await set({ registration: { mode: 'invited', domains: [] } })
    await expectPageAccessible(visitor, '/register', 'Register')
    await open(visitor, '/login', 'Login to Lectern')
    await logIn(visitor, sam, 'Your account is suspended')
    await expectAccessible(visitor, 'Suspended')
    await set({ registration: { mode: 'open', domains: [] }, announcement: null })
  })

  test('home, profile, authors and upload', async ({ page }) => {
    const book = await shareFile(mia, { title: 'Three pages', content: await makeOutlinedPdf(3), pageCount: 3 })
    await ask(mia, 'PATCH', `/api/notes/${book._id}/reading`, { page: 2 })
    await open(page, '/', 'Welcome, Mia!')
    await expect(page.getByRole('article').first()).toBeVisible()
    await expect(page.getByText('Page 2 of 3')).toBeVisible()
    await expectAccessible(page, 'Home')
    await open(page, '/profile', /Mia/)
    await expect(page.getByRole('article')).toHaveCount(2)
    await expectAccessible(page, 'Profile')
    await open(page, '/settings', 'Settings')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Schedule deletion' }).click()
    await expect(dialog.getByText('Please fill in all fields')).toBeVisible()
    await expectAccessible(page, 'Settings, with a password that is missing')
    await dialog.getByLabel('Password', { exact: true }).fill(mia.password)
    await dialog.getByRole('button', { name: 'Schedule deletion' }).click()
    await expect(page.getByRole('button', { name: 'Cancel deletion' })).toHaveCount(2)
    await expectAccessible(page, 'Settings of somebody who leaves')
    await open(page, `/browse?courseCode=${course}`, 'Browse Notes')
    await clickTo(page.getByRole('link', { name: 'Ben Ito' }).first(), 'Ben Ito')
    await expectAccessible(page, 'Author')
    await expectPageAccessible(page, `/people/${crypto.randomUUID()}`, 'Author not found')
    await expectPageAccessible(page, '/upload', 'Upload Notes')
    await page.getByLabel('PDF files').setInputFiles([
      { name: 'Week 1.pdf', mimeType: 'application/pdf', buffer: onePagePdf },
      { name: `${'week-2-'.repeat(30)}.pdf`, mimeType: 'application/pdf', buffer: onePagePdf },
      { name: 'Week 3.txt', mimeType: 'text/plain', buffer: Buffer.from('no PDF') },
    ])
    await submitButton(page, 'Upload 2 notes').click()
    await expect(main(page).getByText('Please fill in all required fields.')).toBeVisible()
    await expectAccessible(page, 'Upload, refused')
  })

  test('the reader with all its panels and dialogs', async ({ page }) => {
    const title = 'Analysis, chapter by chapter'
    const note = await shareFile(mia, { title, content: await makeOutlinedPdf(2), pageCount: 2 })
    await open(page, `/notes/${note._id}?find=compass`, title)
    await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Pages, contents and details' }).click()
    await expectAccessible(page, 'Reader, finding, with its pages')
    await page.getByRole('tab', { name: 'Details' }).click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await expectAccessible(page, 'Reader, details and menu')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await expect(region(page, 'Share').getByRole('status')).not.toBeEmpty()
    await expectAccessible(page, 'Reader, sharing')
    await expectPageAccessible(page, `/notes/${crypto.randomUUID()}`, 'Note not found')
  })
})

const background = (of: Locator) => of.evaluate((element) => getComputedStyle(element).backgroundColor)
const isUnderlined = (of: Locator) =>
  of.evaluate((element) =>
    [element, ...element.querySelectorAll('*')].some((each) =>
      getComputedStyle(each).textDecorationLine.includes('underline'),
    ),
  )

test('in forced colours pressed, current and primary elements are visible', async ({ page, mia, ben, courseCode }) => {
  await shareNotes(ben, ['Heaps', 'Graphs'], { courseCode })
  await shareNotes(mia, ['Trees', 'Sets'], { courseCode: uniqueCourseCode() })
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(`/browse?courseCode=${courseCode}`)

  // What one likes and dislikes.
  const [heaps, graphs] = [card(page, 'Heaps'), card(page, 'Graphs')]
  await likeButton(heaps).click()
  await dislikeButton(graphs).click()
  await expect(likeButton(heaps)).toHaveAttribute('aria-pressed', 'true')
  await expect(dislikeButton(graphs)).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => background(likeButton(heaps))).not.toBe(await background(likeButton(graphs)))
  await expect.poll(() => background(dislikeButton(graphs))).not.toBe(await background(dislikeButton(heaps)))

  // The page one is on.
  expect(await isUnderlined(navLink(page, 'Browse'))).toBe(true)
  expect(await isUnderlined(navLink(page, 'Upload'))).toBe(false)

  // The button that does it.
  const search = searchBar(page).search
  expect(await background(search)).not.toBe(await background(page.locator('body')))
  expect(await background(search)).not.toBe(await background(card(page, 'Heaps')))

  // Which of several are selected.
  await page.goto('/my-notes')
  await page.getByRole('button', { name: 'Select notes', exact: true }).click()
  const box = (title: string) => card(page, title).locator('label', { hasText: `Select ${title}` })
  await box('Trees').click()
  await expect(page.getByRole('checkbox', { name: 'Select Trees' })).toBeChecked()
  await expect(box('Trees').locator('svg')).toBeVisible()
  await expect(box('Sets').locator('svg')).toBeHidden()
})

/** Returns the height of the window that fixed and sticky elements cover. */
const coveredHeight = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((each) => ['fixed', 'sticky'].includes(getComputedStyle(each).position) && each.checkVisibility())
      .map((each) => each.getBoundingClientRect())
      .map(({ top, bottom, width }) => (width < 100 ? 0 : Math.min(bottom, innerHeight) - Math.max(top, 0)))
      .reduce((sum, height) => sum + Math.max(0, height), 0),
  )

test('at 400 % zoom the page uses the whole window', async ({ page, signIn }) => {
  await page.setViewportSize({ width: 320, height: 256 })
  for (const path of ['/', '/login', '/register']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
  }
  const mia = await signIn()
  await uploadMany(mia, 25, uniqueCourseCode())
  for (const path of ['/browse', '/my-notes', '/upload', '/profile', '/']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
    // The navigation bar of index.html covers a loading page for a moment.
    await expect.poll(() => coveredHeight(page), path).toBeLessThanOrEqual(26)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320)
  }
  await page.goto('/my-notes')
  await expect(cards(page)).toHaveCount(24)
  await page.getByRole('button', { name: 'Select notes' }).click()
  expect(await coveredHeight(page)).toBeLessThanOrEqual(26)
  await loadMore(page).focus()
  await expect(loadMore(page)).toBeInViewport({ ratio: 1 })
  await navLink(page, 'Upload').click()
  await expect(page).toHaveURL('/upload')
})
