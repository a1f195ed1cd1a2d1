import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import type { OcrText } from '../packages/contract/reading-progress.ts'
import { layOut } from '../packages/pdfium/test/build-pdf.ts'
import { findViolations } from './accessible.ts'
import { answerQuestion, clickForToast, enter } from './actions.ts'
import { insertOcrText } from './database.ts'
import { dislikeButton, likeButton, noteNotFoundMessage, titles } from './note-lists.ts'
import { ask, deleteNote, shareFile } from './notes.ts'
import { button, heading, region } from './page.ts'
import { makeOutlinedPdf, makeScannedPdf } from './pdfs.ts'
import { holdRequests } from './requests.ts'
import { test } from './test.ts'

const book = await makeOutlinedPdf(12)
const labelled = await makeOutlinedPdf(12, { romanPages: 3 })

const pageField = (page: Page) => page.getByLabel('Page', { exact: true })
/** A page of the document, once it is rendered. */
const drawnPage = (page: Page, number: number) => page.locator(`[data-page-number="${number}"][data-loaded="true"]`)
const findInput = (page: Page) => page.getByLabel('Find in this note', { exact: true }).and(page.getByRole('textbox'))
const marks = (page: Page): Locator => page.locator('.textLayer .highlight')

async function choose(page: Page, item: string) {
  await button(page, 'More').click()
  await button(page, item).click()
}

async function openPage(page: Page, path: string, number: number) {
  await page.goto(path)
  await expect(drawnPage(page, number)).toBeVisible()
  await expect(pageField(page)).toHaveValue(String(number))
}

test('of a long note only the thumbnails near the visible ones stay in memory', async ({ page, signIn }) => {
  const mia = await signIn()
  const content = await makeOutlinedPdf(150)
  const note = await shareFile(mia, { title: 'Long', content, pageCount: 150 })
  await openPage(page, `/notes/${note._id}`, 1)
  await button(page, 'Pages, contents and details').click()
  const canvases = page.locator('.page-thumbnails-canvas')
  const widthOf = (at: number) => canvases.nth(at).evaluate((canvas: HTMLCanvasElement) => canvas.width)
  const held = () => canvases.evaluateAll((all) => all.filter((each) => (each as HTMLCanvasElement).width > 0).length)
  await expect(canvases).toHaveCount(150)
  await expect.poll(() => widthOf(0)).toBe(120)
  for (let at = 0; at < 150; at += 6) await canvases.nth(at).scrollIntoViewIfNeeded()
  await canvases.last().scrollIntoViewIfNeeded()
  await expect.poll(() => widthOf(149)).toBe(120)
  await expect.poll(() => widthOf(0)).toBe(0)
  await expect.poll(held).toBeLessThan(50)
  await canvases.first().scrollIntoViewIfNeeded()
  await expect.poll(() => widthOf(0)).toBe(120)
})

test('each browser loads its build of pdf.js alone, and opens a note at what was searched', async ({
  page,
  mia,
  ben,
}) => {
  const note = await shareFile(ben, { title: 'Analysis', content: book, pageCount: 12 })
  const loaded = new Set<string>()
  page.on('request', (request) => {
    const [, name] = /\/(pdfjs(?:-legacy)?)-[^/]*\.js$/.exec(request.url()) ?? []
    if (name !== undefined) loaded.add(name)
  })
  const openAtMatch = async () => {
    await openPage(page, `/notes/${note._id}?page=3&find=needle3`, 3)
    await expect(marks(page).first()).toBeVisible()
  }
  await openAtMatch()
  expect([...loaded]).toEqual(['pdfjs'])
  loaded.clear()
  await page.addInitScript(() => Reflect.deleteProperty(Math, 'sumPrecise'))
  await openAtMatch()
  expect([...loaded]).toEqual(['pdfjs-legacy'])
})

test('a note is read page by page @phone', async ({ page, mia, ben }, { project }) => {
  const note = await shareFile(ben, { title: 'Analysis', content: labelled, pageCount: 12 })
  await openPage(page, `/notes/${note._id}`, 1)
  await expect(heading(page, 'Analysis')).toBeVisible()
  await expect(page).toHaveTitle('Analysis · Lectern')
  await expect(page.getByText('of 12')).toBeVisible()

  // Text can be selected, and a link leads away without telling where from.
  await expect(page.getByText('Only this one has needle1.')).toBeVisible()
  const link = page.locator('a[href="https://example.org/reading"]')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)

  // By its number, from the pages and from the contents.
  await enter(pageField(page), '7')
  await expect(page.getByText('needle7')).toBeInViewport()
  await pageField(page).fill('3')
  await pageField(page).press('Escape')
  await expect(pageField(page)).toHaveValue('7')
  await pageField(page).blur()
  await expect(pageField(page)).toHaveValue('7')
  await enter(pageField(page), '900')
  await expect(pageField(page)).toHaveValue('12')
  const drawer = button(page, 'Pages, contents and details')
  await drawer.click()
  await button(page, 'Page 2, labelled ii').click()
  await expect(pageField(page)).toHaveValue('2')
  await expect(page.getByText('labelled ii', { exact: true })).toBeVisible({ visible: project.name !== 'phone' })
  // The drawer has closed on screens without room for both.
  if (!(await page.getByRole('tab', { name: 'Contents' }).isVisible())) await drawer.click()
  await page.getByRole('tab', { name: 'Contents' }).click()
  await expect(button(page, 'Chapter 2')).toHaveAttribute('aria-current', 'true')
  await button(page, 'Chapter 5').click()
  await expect(page.getByText('needle5')).toBeInViewport()

  const first = page.locator('[data-page-number="5"]')
  const width = async () => (await first.boundingBox())?.width ?? 0
  const before = await width()
  if (project.name === 'phone') await choose(page, 'Zoom in')
  else await button(page, 'Zoom in').click()
  await expect.poll(width).toBeGreaterThan(before)
  await choose(page, 'Rotate')
  await expect.poll(async () => (await first.boundingBox())?.height ?? 0).toBeLessThan(await width())

  await page.goto('/profile')
  await expect(page.getByRole('article').filter({ hasText: 'Analysis' })).toBeVisible()
})

test('a note is rated in the toolbar and at its end; Back leaves @phone', async ({ page, mia, ben, courseCode }) => {
  const note = await shareFile(ben, { title: 'Analysis', content: book, pageCount: 12 }, { courseCode })
  for (const title of ['Analysis, week 2', 'Analysis, week 3', 'Analysis, week 4', 'Analysis, week 5'])
    await shareFile(ben, { title, content: book, pageCount: 12 }, { courseCode })
  await page.goto('/')
  await openPage(page, `/notes/${note._id}`, 1)

  await expect(likeButton(page.locator('header'))).toBeInViewport({ ratio: 1 })
  await likeButton(page.locator('header')).click()
  await expect(likeButton(page.locator('header'))).toHaveAttribute('aria-pressed', 'true')

  const end = page.getByRole('region', { name: 'Did this help?' })
  await end.scrollIntoViewIfNeeded()
  await expect(likeButton(end)).toHaveAttribute('aria-pressed', 'true')
  await dislikeButton(end).click()
  await expect(dislikeButton(end)).toHaveAttribute('aria-pressed', 'true')
  await expect(likeButton(page.locator('header'))).toHaveAttribute('aria-pressed', 'false')
  await expect(page.getByRole('region', { name: 'Related notes' }).getByRole('article')).toHaveCount(3)
  expect(await findViolations(page)).toEqual([])

  // Back closes the drawer, and then leaves.
  await button(page, 'Pages, contents and details').click()
  await expect(page.getByRole('tab', { name: 'Pages' })).toBeVisible()
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.goBack()
  await expect(page.getByRole('tab')).toHaveCount(0)
  await expect(heading(page, 'Analysis')).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/')

  // Authors are not asked to rate their own notes.
  const own = await shareFile(mia, { title: 'Own', content: await makeOutlinedPdf(1), pageCount: 1 })
  await openPage(page, `/notes/${own._id}`, 1)
  await expect(likeButton(page.locator('header'))).toHaveCount(0)
  await expect(page.getByText('Did this help?')).toHaveCount(0)
})

test('the reading position is kept when a phone is rotated; two taps zoom @phone @fingers', async ({ page, mia }) => {
  const note = await shareFile(mia, { title: 'Analysis', content: book, pageCount: 12 })
  await openPage(page, `/notes/${note._id}?page=5`, 5)
  const line = page.locator('[data-page-number="5"] .textLayer span').filter({ hasText: 'Line 20 about' })
  await line.evaluate((element) => element.scrollIntoView({ block: 'start' }))
  for (const width of [844, 390, 844]) {
    await page.setViewportSize({ width, height: 844 + 390 - width })
    const top = () => line.evaluate((element) => element.getBoundingClientRect().top)
    const isNearTop = async () => (await top()) > 40 && (await top()) < 120
    await expect.poll(isNearTop, `${width} px`).toBe(true)
  }

  // A double tap zooms in, another one zooms out.
  await page.setViewportSize({ width: 390, height: 844 })
  await openPage(page, `/notes/${note._id}?page=1`, 1)
  const first = page.locator('[data-page-number="1"]')
  const width = async () => (await first.boundingBox())?.width ?? 0
  const before = await width()
  // The events are dispatched in the page, because separate taps could be too far apart on a busy machine.
  const tapTwice = () =>
    first.evaluate((target) => {
      const touchAt = (clientY: number) => [new Touch({ identifier: 1, target, clientX: 200, clientY })]
      const touch = (from: number, to = from) => {
        const begun = { touches: touchAt(from), changedTouches: touchAt(from), bubbles: true }
        target.dispatchEvent(new TouchEvent('touchstart', begun))
        const ended = { changedTouches: touchAt(to), bubbles: true, cancelable: true }
        target.dispatchEvent(new TouchEvent('touchend', ended))
      }
      // Quick strokes that scroll are no taps.
      touch(600, 400)
      touch(600, 400)
      touch(400)
      touch(400)
    })
  await tapTwice()
  await expect.poll(width).toBeGreaterThan(before * 1.5)
  await tapTwice()
  await expect.poll(width).toBe(before)
})

test('the reading position is remembered on every device @smoke', async ({ page, openBrowser, mia }) => {
  const note = await shareFile(mia, { title: 'Analysis', content: book, pageCount: 12 })
  await openPage(page, `/notes/${note._id}`, 1)
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && /reading$/.test(answer.url()))
  await enter(pageField(page), '9')
  expect((await saved).status()).toBe(200)
  await openPage(page, `/notes/${note._id}`, 9)

  // Left in a hurry.
  await enter(pageField(page), '11')
  await button(page, 'Pages, contents and details').click()
  await page.goto('/browse')
  const elsewhere = await openBrowser(mia)
  await expect(async () => openPage(elsewhere, `/notes/${note._id}`, 11)).toPass()
})

test('the matches of a search are highlighted, and typed text is found @phone', async ({ page, mia }) => {
  const note = await shareFile(mia, { title: 'Analysis', content: book, pageCount: 12 })
  await page.goto(`/notes/${note._id}?page=3&find=${encodeURIComponent('needle5 "only this one"')}`)
  await expect(drawnPage(page, 3)).toBeVisible()
  await expect(findInput(page)).toHaveValue('needle5 "only this one"')
  await expect(page.getByText('3 of 13')).toBeVisible()
  await expect(marks(page).filter({ hasText: 'Only this one' }).first()).toBeVisible()
  await button(page, 'Next match').click()
  await button(page, 'Next match').click()
  await button(page, 'Next match').click()
  await expect(marks(page).filter({ hasText: 'needle5' })).toBeInViewport()

  // The first to be seen is where the words of a search stand together, in any of their forms.
  await page.goto(`/notes/${note._id}?page=3&find=the+compass+needle3+lines`)
  await expect(page.getByText('63 of 373', { exact: true })).toBeVisible()
  const here = page.locator('[data-page-number="3"] .textLayer .highlight')
  await expect(here.filter({ hasText: /^Line$/ }).first()).toBeVisible()
  await expect(here.and(page.locator('.selected'))).toHaveText('compass')

  await findInput(page).fill('NEEDLE11')
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await expect(page.getByText('needle11')).toBeInViewport()
  await findInput(page).fill('nobody wrote this')
  await expect(page.getByText('No matches')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(findInput(page)).toHaveCount(0)
  await expect(marks(page)).toHaveCount(0)

  // The button and Ctrl+F open it before the file is loaded, and what is typed is found then.
  const file = await holdRequests(page, /\/view$/)
  await page.goto(`/notes/${note._id}?find=needle2`)
  await expect(findInput(page)).toHaveValue('needle2')
  for (const openInput of [() => button(page, 'Find in this note').click(), () => page.keyboard.press('Control+f')]) {
    await page.keyboard.press('Escape')
    await expect(findInput(page)).toBeHidden()
    await openInput()
    await expect(findInput(page)).toBeFocused()
  }
  await page.keyboard.type('needle5')
  file.release()
  await expect(marks(page)).toHaveText('needle5')
  await expect(findInput(page)).toHaveValue('needle5')
})

test('a search continues from the page at which the reader opens', async ({ page, mia }) => {
  const note = await shareFile(mia, { title: 'Scans', content: makeScannedPdf(8, 4_000), pageCount: 8 })
  const read: number[] = []
  page.on('request', (sent) => {
    const number = /recognised-text\?page=(\d+)$/.exec(sent.url())?.[1]
    if (number !== undefined) read.push(Number(number))
  })
  await openPage(page, `/notes/${note._id}?page=6&find=compass`, 6)
  await expect.poll(() => new Set(read).size).toBe(8)
  expect(read.indexOf(8)).toBeLessThan(read.indexOf(1))
})

test('a large file shows its first page long before it is loaded', async ({ page, mia, courseCode }) => {
  const scans = makeScannedPdf(100, 240_000)
  await shareFile(mia, { title: 'Scans', content: scans, pageCount: 100 }, { courseCode })
  await page.goto(`/browse?courseCode=${courseCode}`)
  const ranges: (string | undefined)[] = []
  page.on('request', (sent) => sent.url().endsWith('/view') && ranges.push(sent.headers().range))
  let received = 0
  page.on('response', (answer) => {
    if (answer.url().endsWith('/view')) received += Number(answer.headers()['content-length'])
  })

  // The file is requested before its note is loaded.
  const held = await holdRequests(page, /\/api\/notes\/[\w-]+$/)
  await page.getByRole('link', { name: 'Read Scans', exact: true }).click()
  await expect.poll(() => ranges).toEqual(['bytes=0-32767', expect.stringMatching(`^bytes=\\d+-${scans.length - 1}$`)])
  held.release()
  await expect(drawnPage(page, 1)).toBeVisible()
  // The adjacent pages may be loading already.
  expect(received).toBeLessThan(1_000_000)
  await enter(pageField(page), '100')
  await expect(drawnPage(page, 100)).toBeVisible()
  expect(received).toBeLessThan(scans.length / 8)
  await expect(page.locator('[data-page-number="100"]')).toHaveAttribute('data-drawn', 'true')
  // A page that has not loaded is a ruled placeholder.
  const shapeOf = (number: number) =>
    page
      .locator(`[data-page-number="${number}"]`)
      .evaluate((sheet) => getComputedStyle(sheet, '::after').backgroundImage.includes('gradient'))
  expect([await shapeOf(50), await shapeOf(100)]).toEqual([true, false])
})

test('every reader function works with the keyboard', async ({ page, mia }) => {
  const note = await shareFile(mia, { title: 'Analysis', content: book, pageCount: 12 })
  await openPage(page, `/notes/${note._id}`, 1)
  const pressed = async (key: string, value: string) => {
    await page.keyboard.press(key)
    await expect(pageField(page)).toHaveValue(value)
  }
  await pressed('ArrowRight', '2')
  await pressed('End', '12')
  await pressed('ArrowLeft', '11')
  await pressed('Home', '1')
  await page.keyboard.press('PageDown')
  await page.keyboard.press('PageDown')
  await expect(page.getByText('needle1.')).not.toBeInViewport()
  for (let n = 0; n < 3; n++) await page.keyboard.press('Shift+Space')
  await expect(page.getByText('needle1.')).toBeInViewport()
  await pressed('Home', '1')

  const size = page.getByLabel('Zoom', { exact: true })
  await page.keyboard.press('+')
  await expect(size).not.toHaveValue('auto')
  await page.keyboard.press('0')
  await expect(size).toHaveValue('auto')

  // Caps Lock makes a capital of it.
  await page.evaluate(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'F', bubbles: true })))
  await expect(findInput(page)).toBeFocused()
  await page.keyboard.type('needle8')
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(findInput(page)).toHaveCount(0)

  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  // The drawer takes the focus and returns it, and pages are no separate tab stops.
  await pressed('Home', '1')
  await page.keyboard.press('s')
  await expect(page.getByRole('tab', { name: 'Pages' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('tab')).toHaveCount(0)
  await expect(region(page, 'Pages')).toBeFocused()
  const first = region(page, 'Page 1')
  await expect(first.locator('.textLayer')).toHaveAttribute('tabindex', '-1')

  // Single keys can be switched off, and the others go on.
  await page.keyboard.press('?')
  await dialog.getByLabel('Single-key shortcuts').uncheck()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('s')
  await page.keyboard.press('/')
  await pressed('ArrowRight', '2')
  await expect(page.getByRole('tab')).toHaveCount(0)
  await choose(page, 'Keyboard shortcuts')
  await dialog.getByLabel('Single-key shortcuts').check()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)

  const canvas = page.locator('.canvasWrapper canvas').first()
  await page.keyboard.press('d')
  await expect(canvas).toHaveCSS('filter', /invert/)
  await page.reload()
  await expect(canvas).toHaveCSS('filter', /invert/)
  await choose(page, 'Light pages')
  await expect(canvas).toHaveCSS('filter', 'none')

  // The arrow leaves the note, whether the drawer is open or not.
  await page.goto('/my-notes')
  await page.getByRole('link', { name: 'Read Analysis' }).press('Enter')
  await expect(drawnPage(page, 1)).toBeVisible()
  await page.keyboard.press('s')
  await expect(page.getByRole('tab', { name: 'Pages' })).toBeFocused()
  await page.getByRole('link', { name: 'Back', exact: true }).press('Enter')
  await expect(page).toHaveURL('/my-notes')
})

test('the note can be downloaded under its title, and edited by its owner', async ({ page, mia, ben }) => {
  const others = await shareFile(ben, { title: 'Müller’s notes – week 1', content: book, pageCount: 12 })
  const own = await shareFile(mia, { title: 'Own', content: book, pageCount: 12 })
  await openPage(page, `/notes/${others._id}`, 1)

  const download = page.waitForEvent('download')
  await choose(page, 'Download')
  const file = await download
  expect(file.suggestedFilename()).toBe('Müller’s notes – week 1.pdf')
  expect(await readFile(await file.path())).toEqual(book)

  // The reader stays when the dialog cannot be loaded.
  await page.route('**/api/config', (route) => route.abort())
  await openPage(page, `/notes/${own._id}`, 1)
  await answerQuestion(page, 'dismiss', () => choose(page, 'Edit note'))
  await page.unroute('**/api/config')
  await choose(page, 'Edit note')
  const dialog = page.getByRole('dialog', { name: 'Edit note' })
  await dialog.getByLabel('Course Code').fill('PHY101')
  // The file changes with this, so later requests must not mix it with the displayed one.
  await dialog.getByLabel('Display Anonymously').check()
  await clickForToast(dialog.getByRole('button', { name: 'Save Changes' }), 'Note updated successfully!')
  await expect(page.getByText('PHY101').first()).toBeVisible()
})

test('a locked file asks for its password', async ({ page, mia }) => {
  const content = await makeOutlinedPdf(3, { userPassword: 'compass' })
  const note = await shareFile(mia, { title: 'Locked', content, pageCount: 3 })
  await page.goto(`/notes/${note._id}`)
  const dialog = page.getByRole('dialog', { name: 'This note is password-protected' })
  const password = dialog.getByLabel('File password', { exact: true })
  await enter(password, 'wrong')
  await expect(dialog.getByText('Incorrect password.')).toBeVisible()
  await enter(password, 'compass')
  await expect(page.getByText('needle1')).toBeVisible()

  await page.reload()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('Its author protected it with a password.')).toBeVisible()
  await expect(button(page, 'Open the original file')).toBeVisible()
  await button(page, 'Try again').click()
  await expect(dialog).toBeVisible()
})

test('a file that cannot be read shows why', async ({ page, context, mia }) => {
  const note = await shareFile(mia, { title: 'Scans', content: makeScannedPdf(20, 60_000), pageCount: 20 })

  // A lost connection is said, and the pages come with it.
  await openPage(page, `/notes/${note._id}`, 1)
  await context.setOffline(true)
  const lostPosition = page.waitForEvent('requestfailed', (failed) => failed.method() === 'PATCH')
  await page.keyboard.press('End')
  await expect(page.getByText('Connection lost.')).toBeVisible()
  await lostPosition
  const savedPosition = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())
  await context.setOffline(false)
  await expect(drawnPage(page, 20)).toBeVisible()
  await expect(page.getByText('Connection lost.')).toHaveCount(0)
  await savedPosition

  // A script is lost with the connection.
  await page.route(/\/pdfjs-[^/]*\.js$/, (route) => route.abort())
  await page.reload()
  await expect(page.getByText('Couldn’t open this note')).toBeVisible()
  await page.unrouteAll()
  await button(page, 'Try again').click()
  await expect(drawnPage(page, 20)).toBeVisible()

  // A file that is no PDF any more, and one without a first page.
  const withoutPage = layOut(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', '42'])
  for (const body of ['no PDF', withoutPage]) {
    await page.route(/\/view$/, (route) => route.fulfill({ status: 200, body }))
    await page.reload()
    await expect(page.getByText('Can’t show this file here')).toBeVisible()
    // Ctrl+F is left to the browser, because nothing can be found in the note.
    const ctrlF = { key: 'f', ctrlKey: true, cancelable: true }
    expect(await page.evaluate((keys) => document.dispatchEvent(new KeyboardEvent('keydown', keys)), ctrlF)).toBe(true)
    await page.unrouteAll()
    await button(page, 'Try again').click()
    await expect(drawnPage(page, 20)).toBeVisible()
  }

  // Deleted while it is read, and then never there.
  await deleteNote(mia, note._id)
  await page.keyboard.press('Home')
  await expect(heading(page, 'Note not found')).toBeVisible()
  for (const id of [note._id, 'nonsense']) {
    await page.goto(`/notes/${id}`)
    await expect(page.getByText(noteNotFoundMessage)).toBeVisible()
  }
})

test('a browser that shows no PDFs saves the file, and no tab stays behind', async ({ page, mia, courseCode }) => {
  await shareFile(mia, { title: 'Week 1: limits', content: book, pageCount: 12 }, { courseCode })
  await page.addInitScript(() => Object.defineProperty(navigator, 'pdfViewerEnabled', { value: false }))
  await page.goto(`/browse?courseCode=${courseCode}`)
  const tab = page.waitForEvent('popup')
  const download = page.waitForEvent('download')
  await titles(page).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^Week 1. limits\.pdf$/)
  expect(await readFile(await file.path())).toEqual(book)
  await expect.poll(async () => (await tab).isClosed()).toBe(true)
})

test('recognised words of a scan are selected and found at their position', async ({ page, lectern, mia }) => {
  const note = await shareFile(mia, { title: 'Scans', content: makeScannedPdf(3, 20_000), pageCount: 3 })
  const words: OcrText['words'] = [
    { text: 'thylakoid', box: [0.2, 0.5, 0.3, 0.03] },
    { text: 'membranes', box: [0.55, 0.5, 0.25, 0.03] },
    { text: 'below', box: [0.2, 0.6, 0.2, 0.03] },
  ]
  await insertOcrText(lectern, note._id, 2, words)
  await openPage(page, `/notes/${note._id}?page=2`, 2)

  const word = page.locator('.textLayer span').filter({ hasText: 'thylakoid' })
  const expectInPlace = async () => {
    const [sheet, at] = [await page.locator('[data-page-number="2"] canvas').boundingBox(), await word.boundingBox()]
    if (!sheet || !at) throw new Error('The word is not on the page')
    expect((at.x - sheet.x) / sheet.width).toBeCloseTo(0.2, 1)
    expect((at.y - sheet.y) / sheet.height).toBeCloseTo(0.5, 1)
    expect(at.height / sheet.height).toBeLessThan(0.06)
  }
  await expectInPlace()
  await word.dblclick()
  expect((await page.evaluate(() => getSelection()?.toString()))?.trim()).toBe('thylakoid')

  await page.keyboard.press('Control+f')
  await findInput(page).fill('thylakoid membranes')
  await expect(marks(page)).toHaveCount(2)
  await expect(marks(page).first()).toBeInViewport()
})

test('a file that cannot be printed shows why, and prints nothing', async ({ page, mia }) => {
  const makePages = (boxes: string[]) =>
    layOut([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count ${boxes.length} /Kids [${boxes.map((_, at) => `${at + 3} 0 R`).join(' ')}] >>`,
      ...boxes.map((box) => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${box}] >>`),
    ])
  await page.addInitScript(() => {
    window.print = () => document.body.append('Printed')
  })
  for (const [title, boxes, reason] of [
    ['Long', Array(201).fill('200 300'), 'This note has 201 pages. You can print up to 200 pages here.'],
    ['Huge', ['200 300', '14400 14400'], 'Couldn’t prepare page 2 for printing.'],
  ] as const) {
    const note = await shareFile(mia, { title, content: makePages([...boxes]), pageCount: boxes.length })
    await openPage(page, `/notes/${note._id}`, 1)
    await choose(page, 'Print')
    const dialog = page.getByRole('dialog', { name: 'Can’t print this note here' })
    await expect(dialog.getByRole('alert')).toHaveText(`${reason} Download the note and print the file instead.`)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect(dialog).toBeHidden()
    await expect(page.getByText('Printed')).toBeHidden()
  }
  const note = await shareFile(mia, { title: 'Short', content: makePages(['200 300', '300 200']), pageCount: 2 })
  await openPage(page, `/notes/${note._id}`, 1)
  await choose(page, 'Print')
  await expect(page.getByText('Printed')).toBeVisible()
})

test('a note that changes while it is being read is reloaded', async ({ page, mia, ben, courseCode }) => {
  const note = await shareFile(ben, { title: 'Scans', content: makeScannedPdf(20, 60_000), pageCount: 20 })
  await openPage(page, `/notes/${note._id}`, 1)
  await expect(page).toHaveTitle('Scans · Lectern')
  const change = { title: 'Series', courseCode, academicYear: '2025–26', isAnonymous: false }
  await ask(ben, 'PATCH', `/api/users/me/notes/${note._id}`, change)
  // Headless browsers never hide a tab.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(page).toHaveTitle('Series · Lectern')
  await expect(heading(page, 'Series')).toBeVisible()

  // Its file becomes another one.
  await ask(ben, 'PATCH', `/api/users/me/notes/${note._id}`, { ...change, isAnonymous: true })
  await page.keyboard.press('End')
  await expect(drawnPage(page, 20)).toBeVisible()
})
