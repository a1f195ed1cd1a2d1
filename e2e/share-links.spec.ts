import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { clickTo, open } from './actions.ts'
import { fillRegistration, logIn, newEmail, password } from './forms.ts'
import { card, expectOpensNewTab, expectTitles, titleLink, titles } from './note-lists.ts'
import { rate, shareFile, shareNote } from './notes.ts'
import { button, heading, main, region } from './page.ts'
import { makeOutlinedPdf } from './pdfs.ts'
import { test } from './test.ts'

const book = await makeOutlinedPdf(4)
const pageField = (page: Page) => page.getByLabel('Page', { exact: true })
const marks = (page: Page): Locator => page.locator('.textLayer .highlight')
const shared = (page: Page) => region(page, 'Share')

/**
 * Expects that `act` opens a new tab, and closes it.
 * @returns the tab's address.
 */
async function addressOfTab(context: BrowserContext, act: () => Promise<void>): Promise<string> {
  const tabs: Page[] = []
  context.on('page', (tab) => void tabs.push(tab))
  // Chromium sometimes loses a middle click just after a page has loaded.
  await expect(async () => {
    if (tabs.length === 0) await act()
    await expect.poll(() => tabs.length, { timeout: 5_000 }).toBeGreaterThan(0)
  }).toPass()
  const [tab] = tabs
  if (!tab) throw new Error('No tab was opened')
  await tab.waitForURL(/\/notes\//)
  const { pathname, search } = new URL(tab.url())
  await tab.close()
  return pathname + search
}

test('a card is a link to the reader; a click opens the file', async ({ page, context, mia, ben, courseCode }) => {
  const { _id: id } = await shareNote(ben, 'Rings', { courseCode })
  await page.goto(`/browse?courseCode=${courseCode}`)
  const link = titleLink(page, 'Rings')
  await expect(link).toHaveAttribute('href', `/notes/${id}`)
  expect(await addressOfTab(context, () => link.click({ button: 'middle' }))).toBe(`/notes/${id}`)
  expect(await addressOfTab(context, () => link.click({ modifiers: ['ControlOrMeta'] }))).toBe(`/notes/${id}`)
  await expectOpensNewTab(page, () => link.click())
  await expectOpensNewTab(page, () => link.press('Enter'))
  await expect(page).toHaveURL(`/browse?courseCode=${courseCode}`)
})

/** Selects text on a page of the document, from the start of one element to the end of another. */
async function selectPassage(from: Locator, to: Locator) {
  await from.evaluate(
    (first, last) => {
      const range = document.createRange()
      range.setStart(first, 0)
      range.setEnd(last as Node, last?.childNodes.length ?? 0)
      document.getSelection()?.removeAllRanges()
      document.getSelection()?.addRange(range)
    },
    await to.elementHandle(),
  )
}

test('the reader shares the note, a page or a passage @phone @smoke', async ({ page, context, baseURL, mia, ben }) => {
  const note = await shareFile(ben, { title: 'Analysis', content: book, pageCount: 4 })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const address = `${baseURL}/notes/${note._id}`

  await page.goto(`/notes/${note._id}?page=3&find=compass`)
  await expect(page.getByText('needle3')).toBeVisible()
  await button(page, 'Share').click()
  await expect(shared(page).getByRole('status')).toHaveText('Link to page 3 copied.')
  expect(await clipboard()).toBe(`${address}?page=3`)

  // Or the whole note, or what is marked.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(button(page, 'Copy link to the whole note')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(shared(page).getByRole('status')).toHaveText('Link to the whole note copied.')
  expect(await clipboard()).toBe(address)
  await button(page, 'Copy link to page 3 with “compass”').click()
  await expect(shared(page).getByRole('status')).toHaveText('Link to page 3 with “compass” copied.')
  expect(await clipboard()).toBe(`${address}?page=3&find=compass`)
  await page.keyboard.press('Escape')
  await expect(shared(page)).toBeHidden()
  await expect(button(page, 'Share')).toBeFocused()

  const sentence = 'Every page has a compass. Only this one has needle2.'
  const quote = `${sentence} Line 1 about limits, series and convergence.`

  // A selected passage goes along with its page.
  await page.goto(`/notes/${note._id}?page=2`)
  const second = page.locator('[data-page-number="2"] .textLayer')
  const line = (text: string) => second.getByText(text, { exact: true })
  await expect(line(sentence)).toBeVisible()
  await expect(button(page, 'Share selection')).toHaveCount(0)
  await selectPassage(line(sentence), line('Line 1 about limits, series and convergence.'))
  await button(page, 'Share selection').click()
  await expect(shared(page).getByRole('status')).toHaveText('Link to the selected text copied.')
  const { pathname, searchParams } = new URL(await clipboard())
  expect([pathname, ...searchParams]).toEqual([`/notes/${note._id}`, ['page', '2'], ['quote', quote]])

  // And is marked where the link is opened.
  const link = await clipboard()
  await page.goto('/')
  await open(page, link, 'Analysis')
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await expect(pageField(page)).toHaveValue('2')
  await expect.poll(async () => (await marks(page).allTextContents()).join(' ')).toBe(quote)

  // What an address carries is text, however long, and marks nothing it does not find.
  const hostile = `<img src=x onerror=alert(1)>${'a'.repeat(5_000)}`
  await page.goto(`/notes/${note._id}?quote=${encodeURIComponent(hostile)}`)
  await expect(page.getByText('No matches')).toBeVisible()
  const found = page.getByRole('textbox', { name: 'Find in this note' })
  await expect(found).toHaveValue(hostile.slice(0, 200))
  await expect(marks(page)).toHaveCount(0)
})

test('where copying is impossible the link is selected', async ({ page, baseURL, mia }) => {
  const note = await shareFile(mia, { title: 'Analysis', content: book, pageCount: 4 }, { isAnonymous: true })
  // Simulates a page without HTTPS, where the clipboard is unavailable.
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await page.goto(`/notes/${note._id}?page=2`)
  await expect(pageField(page)).toHaveValue('2')
  await button(page, 'Share').click()
  await expect(shared(page).getByText(/may guess that it’s yours/)).toBeVisible()
  await expect(shared(page).getByRole('status')).toHaveText(/^Couldn’t copy automatically/)
  await expect(shared(page).getByLabel('Link', { exact: true })).toBeFocused()
  expect(await page.evaluate(() => String(document.getSelection()))).toBe(`${baseURL}/notes/${note._id}?page=2`)
})

test('a phone opens its share sheet @phone @fingers', async ({ page, baseURL, ben, mia }) => {
  const note = await shareFile(ben, { title: 'Analysis', content: book, pageCount: 4 })
  await page.addInitScript(() => {
    const share = async (shared: ShareData) => Object.assign(window, { shared })
    Object.defineProperty(navigator, 'share', { value: share })
  })
  const sent = () => page.evaluate(() => (window as { shared?: ShareData }).shared)
  await page.goto(`/notes/${note._id}?page=2`)
  await expect(pageField(page)).toHaveValue('2')
  await button(page, 'Share').click()
  expect(await sent()).toEqual({ title: 'Analysis', url: `${baseURL}/notes/${note._id}?page=2` })
  await button(page, 'Share the whole note').click()
  expect(await sent()).toEqual({ title: 'Analysis', url: `${baseURL}/notes/${note._id}` })
})

test('a visitor gets to the note by a login or the mailed link @phone', async ({ page, context, lectern, ben }) => {
  const note = await shareFile(ben, { title: 'Analysis', content: book, pageCount: 4 })
  const place = `/notes/${note._id}?page=2&quote=Only+this+one`
  const email = newEmail()
  const atNote = async (tab: Page) => {
    await expect(heading(tab, 'Analysis')).toBeVisible()
    expect(tab.url()).toBe(lectern.url + place)
    await expect(pageField(tab)).toHaveValue('2')
    await expect(marks(tab).first()).toHaveText('Only this one')
  }

  await open(page, place, 'Login to Lectern')
  await page.getByRole('navigation').getByRole('link', { name: 'Register' }).click()
  await expect(page.getByText(/^Register to read this note\./)).toBeVisible()
  await fillRegistration(page, { email })
  await expect(page.getByText('Almost there.')).toBeVisible()
  await expect(page).toHaveURL(`/login?next=${encodeURIComponent(place)}`)

  // And so does the mailed link, in a tab that knows nothing of it.
  const mailed = await context.newPage()
  await mailed.goto(await lectern.readMailedLink(email))
  await mailed.getByRole('link', { name: 'Verify email' }).click()
  await mailed.getByRole('link', { name: 'Go now' }).click()
  await expect(mailed.getByText('Log in to read this note.', { exact: true })).toBeVisible()
  await logIn(mailed, { email, password })
  await atNote(mailed)
  // The tab that was left at the login page follows.
  await atNote(page)
  await mailed.close()

  // Once: the next student of this browser is not led there.
  await page.goto('/')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText(/^Log in to/)).toHaveCount(0)
  await page.goto('/verify/success')
  await page.getByRole('link', { name: 'Go now' }).click()
  await expect(page).toHaveURL('/login')
})

test('an author’s name opens their named notes, and nothing else', async ({ page, mia, ben, courseCode }) => {
  await shareNote(ben, 'Groups', { courseCode })
  const rings = await shareNote(ben, 'Rings', { courseCode })
  await shareNote(ben, 'Fields', { courseCode })
  await shareNote(ben, 'Nobody’s', { courseCode, isAnonymous: true })
  await rate(mia, rings._id, { likes: '+' })

  // From a card, which does not open its note for it.
  await page.goto(`/browse?courseCode=${courseCode}`)
  await card(page, 'Fields').getByRole('link', { name: 'Ben Ito' }).click()
  await expect(heading(page, 'Ben Ito')).toBeFocused()
  await expect(page).toHaveTitle('Ben Ito · Lectern')
  await expect(main(page).getByText(/^3 notes since \d/)).toBeVisible()
  await expectTitles(page, ['Fields', 'Rings', 'Groups'])

  await page.getByLabel('Sort by').focus()
  await page.getByLabel('Sort by').selectOption('Most Liked')
  await expect(titles(page).first()).toHaveText(/^Rings/)
  await expect(page).toHaveURL(/\?sortBy=likes$/)
  await expect(page.getByLabel('Sort by')).toBeFocused()
  await page.reload()
  await expect(titles(page).first()).toHaveText(/^Rings/)

  const address = new URL(page.url()).pathname
  const details = page.getByRole('tabpanel', { name: 'Details' })
  await page.goto(`/notes/${rings._id}`)
  await button(page, 'Pages, contents and details').click()
  await page.getByRole('tab', { name: 'Details' }).click()
  await clickTo(details.getByRole('link', { name: 'Ben Ito' }), 'Ben Ito')
  await expect(page).toHaveURL(address)

  // An author without named notes has no page, like an unknown one.
  for (const id of [mia.id, 'nonsense']) {
    await open(page, `/people/${id}`, 'Author not found')
    await expect(main(page).getByText('This author doesn’t exist or has no notes with their name.')).toBeVisible()
  }
})
