import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test'
import { expectOpensInTab, heading, newCourse, titleLink } from './note-lists.ts'
import { makeBook, shareFile } from './reader-files.ts'
import { test } from './test.ts'

const book = await makeBook(4)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const pageField = (page: Page) => page.getByLabel('Page', { exact: true })
const marks = (page: Page): Locator => page.locator('.textLayer .highlight')
const shareDialog = (page: Page) => page.getByRole('dialog', { name: 'Share' })
const linkInput = (page: Page) => shareDialog(page).getByLabel('Link', { exact: true })

/** What `act` does leads to a tab of its own, which is closed again. @returns the address it came to. */
async function addressOfTab(context: BrowserContext, act: () => Promise<void>): Promise<string> {
  const opened = context.waitForEvent('page')
  await act()
  const tab = await opened
  await tab.waitForURL(/\/notes\//)
  const { pathname, search } = new URL(tab.url())
  await tab.close()
  return pathname + search
}

test('a card is a link to the reader, and a plain click opens the file', async ({
  page,
  context,
  createStudent,
  signIn,
  uploadNote,
}) => {
  const courseCode = newCourse()
  const id = await uploadNote(await createStudent({ name: 'Ben Ito' }), { title: 'Rings', courseCode })
  await signIn(await createStudent())
  await page.goto(`/browse?courseCode=${courseCode}`)
  const link = titleLink(page, 'Rings')
  await expect(link).toHaveAttribute('href', `/notes/${id}`)
  expect(await addressOfTab(context, () => link.click({ button: 'middle' }))).toBe(`/notes/${id}`)
  expect(await addressOfTab(context, () => link.click({ modifiers: ['ControlOrMeta'] }))).toBe(`/notes/${id}`)
  await expectOpensInTab(page, () => link.click())
  await expectOpensInTab(page, () => link.press('Enter'))
  await expect(page).toHaveURL(`/browse?courseCode=${courseCode}`)
})

/** Selects on a page of the document, from the beginning of one text to the end of another. */
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

test('the reader shares the note, its page, what is marked and a passage @phone', async ({
  page,
  context,
  request,
  baseURL,
  createStudent,
  signIn,
}) => {
  const ben = await createStudent({ name: 'Ben Ito' })
  const note = await shareFile(request, ben, { title: 'Analysis', content: book })
  await signIn(await createStudent())
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const address = `${baseURL}/notes/${note._id}`

  await test.step('the link is copied, and that is said', async () => {
    await page.goto(`/notes/${note._id}?page=3&find=compass`)
    await expect(page.getByText('needle3')).toBeVisible()
    await button(page, 'Share').click()
    await expect(linkInput(page)).toHaveValue(address)
    await button(page, 'Copy link').click()
    await expect(shareDialog(page).getByRole('status')).toHaveText('The link is copied.')
    expect(await clipboard()).toBe(address)
    const where = shareDialog(page).getByLabel('Where it opens')
    await where.selectOption('Page 3')
    await expect(shareDialog(page).getByRole('status')).toBeEmpty()
    await expect(linkInput(page)).toHaveValue(`${address}?page=3`)
    await where.selectOption('Page 3, with “compass” marked')
    await expect(linkInput(page)).toHaveValue(`${address}?page=3&find=compass`)
    await page.keyboard.press('Escape')
    await expect(button(page, 'Share')).toBeFocused()
  })

  const sentence = 'Every page has a compass. Only this one has needle2.'
  const quote = `${sentence} Line 1 about limits, series and convergence.`

  await test.step('a selected passage goes along with its page', async () => {
    await page.goto(`/notes/${note._id}?page=2`)
    const second = page.locator('[data-page-number="2"] .textLayer')
    const line = (text: string) => second.getByText(text, { exact: true })
    await expect(line(sentence)).toBeVisible()
    await expect(button(page, 'Share this passage')).toHaveCount(0)
    await selectPassage(line(sentence), line('Line 1 about limits, series and convergence.'))
    await button(page, 'Share this passage').click()
    await button(page, 'Copy link').click()
    await expect(shareDialog(page).getByRole('status')).toHaveText('The link is copied.')
    const { pathname, searchParams } = new URL(await clipboard())
    expect([pathname, ...searchParams]).toEqual([`/notes/${note._id}`, ['page', '2'], ['quote', quote]])
  })

  await test.step('and is marked where the link is opened', async () => {
    const link = await clipboard()
    await page.goto('/')
    await page.goto(link)
    await expect(heading(page, 'Analysis')).toBeVisible()
    await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
    await expect(pageField(page)).toHaveValue('2')
    await expect.poll(async () => (await marks(page).allTextContents()).join(' ')).toBe(quote)
  })

  await test.step('what an address carries is text, however long, and marks nothing it does not find', async () => {
    const hostile = `<img src=x onerror=alert(1)>${'a'.repeat(5_000)}`
    await page.goto(`/notes/${note._id}?quote=${encodeURIComponent(hostile)}`)
    await expect(page.getByText('No hits')).toBeVisible()
    const found = page.getByRole('textbox', { name: 'Find in this note' })
    await expect(found).toHaveValue(hostile.slice(0, 200))
    await expect(marks(page)).toHaveCount(0)
  })
})

test('where nothing may be copied the link is selected, and a phone has its own sheet', async ({
  page,
  request,
  baseURL,
  createStudent,
  signIn,
}) => {
  const mia = await createStudent({ name: 'Mia Lund' })
  const note = await shareFile(request, mia, { title: 'Analysis', content: book }, { isAnonymous: true })
  await signIn(mia)
  // As on a page without https, and with the sheet that only phones have.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    Object.defineProperty(navigator, 'share', {
      value: async (shared: ShareData) => Object.assign(window, { shared }),
    })
  })
  await page.goto(`/notes/${note._id}`)
  await button(page, 'Share').click()
  await expect(shareDialog(page).getByText(/may guess that it is yours/)).toBeVisible()
  await button(page, 'Copy link').click()
  await expect(shareDialog(page).getByRole('status')).toContainText('The link is selected')
  expect(await page.evaluate(() => String(document.getSelection()))).toBe(`${baseURL}/notes/${note._id}`)
  await button(page, 'Share…').click()
  expect(await page.evaluate(() => (window as { shared?: ShareData }).shared)).toEqual({
    title: 'Analysis',
    url: `${baseURL}/notes/${note._id}`,
  })
})
