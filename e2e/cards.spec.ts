import { expect, type Locator, type Page } from '@playwright/test'
import type { NotePage } from '../packages/contract/search.ts'
import { open } from './actions.ts'
import { card, cards, expectTitles, likeButton, titleLink } from './note-lists.ts'
import { ask, shareFile, shareNote, shareNotes, uploadFile } from './notes.ts'
import { region } from './page.ts'
import { makeOutlinedPdf } from './pdfs.ts'
import { test } from './test.ts'

const asList = (page: Page) => page.getByRole('button', { name: 'List view', exact: true })
const asGrid = (page: Page) => page.getByRole('button', { name: 'Grid view', exact: true })

/** Returns the height of the first card, and whether any card overflows the page or its own edge. */
const measure = (of: Page | Locator) =>
  cards(of).evaluateAll((all) => ({
    height: all[0]?.getBoundingClientRect().height ?? 0,
    isCut: all.some((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight),
    width: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }))

test('cards and rows show all facts, on every page @phone', async ({ page, mia, ben, courseCode }) => {
  const long = 'A title that is much too long for the one line that the others need'
  await shareNote(ben, 'Limits', { courseCode, academicYear: '2024–25', instructor: 'Dr. Osei' })
  await shareNote(ben, long, { courseCode })
  await shareNote(mia, 'Own', { courseCode, isAnonymous: true })
  await page.goto(`/browse?courseCode=${courseCode}`)
  await expectTitles(page, ['Own', long, 'Limits'])

  // Cards of a row have the same height, and badges cover nothing.
  const alike = await cards(page).evaluateAll((all) =>
    all.map((each) => {
      const place = (selector: string) => each.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect()
      const [{ top, height }, sheet, count] = [
        each.getBoundingClientRect(),
        place('.note-thumbnail'),
        place('.note-card-file'),
      ]
      return [height, sheet.top - top, sheet.height, count.top - top]
    }),
  )
  expect(new Set(alike.map(String)).size, String(alike)).toBe(1)
  const [sheet, badge] = [card(page, 'Own').locator('.note-thumbnail'), card(page, 'Own').getByText('Anonymous')]
  const [covered, covers] = await Promise.all([sheet.boundingBox(), badge.boundingBox()])
  expect(covers?.y).toBeGreaterThanOrEqual((covered?.y ?? 0) + (covered?.height ?? 0))
  const tops = await card(page, 'Limits')
    .locator('.note-card-detail, .note-card-author')
    .evaluateAll((all) => all.map((each) => Math.round(each.closest('dd')?.getBoundingClientRect().top ?? 0)))
  expect(tops[0]).toBe(tops[1])

  // The list view has all facts of a card.
  const { height } = await measure(page)
  await expect(asGrid(page)).toHaveAttribute('aria-pressed', 'true')

  await asList(page).click()
  await expect(asList(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(asGrid(page)).toHaveAttribute('aria-pressed', 'false')
  expect((await measure(page)).height).toBeLessThan(height / 2)
  const facts = card(page, 'Limits').getByRole('definition')
  await expect(facts).toHaveText([courseCode, '2024–25', 'Dr. Osei', 'Ben Ito', /\d:\d\d$/])
  for (const fact of await facts.all()) await expect(fact).toBeVisible()
  await expect(card(page, 'Own').getByText('Anonymous', { exact: true })).toBeVisible()
  await likeButton(card(page, 'Limits')).click()
  await expect(likeButton(card(page, 'Limits'))).toHaveAccessibleName('Like 1: Limits')

  await page.reload()
  await expect(asList(page)).toHaveAttribute('aria-pressed', 'true')
  expect((await measure(page)).height).toBeLessThan(height / 2)
  await page.goto(`/courses/${courseCode}`)
  await expect(asList(page)).toHaveAttribute('aria-pressed', 'true')
  const ofCourse = region(page, 'Notes')
  await expectTitles(ofCourse, ['Own', long, 'Limits'])
  expect((await measure(ofCourse)).height).toBeLessThan(height / 2)
  await page.goto('/my-notes')
  await expect(asList(page)).toHaveAttribute('aria-pressed', 'true')
  await card(page, 'Own').getByRole('button', { name: 'Edit Note: Own' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await asGrid(page).click()
  await open(page, '/liked-notes', 'Liked Notes')
  await expect(asGrid(page)).toHaveAttribute('aria-pressed', 'true')
})

test('no title cuts off a card or a row or widens the page', async ({ page, createStudent, signIn, courseCode }) => {
  const mia = await signIn({ name: 'Maximiliane-Theodora von und zu Hohenstein-Wartenberg' })
  const titles = [
    'W'.repeat(120),
    'ملاحظات حول الجبر الخطي والمصفوفات للسنة الأولى',
    '線形代数学の講義ノート第三章固有値と固有ベクトル',
    'é',
    '🦉🦉 x',
  ]
  await shareNotes(mia, titles, { courseCode, instructor: 'X'.repeat(100) })
  await shareNote(mia, 'Long course', { courseCode: `${courseCode}-${'M'.repeat(22)}`, isAnonymous: true })
  const author = await createStudent({ name: 'Chiamaka Okonkwo-Lindqvist' })
  await shareNote(author, 'Limits', { courseCode, instructor: 'Prof. Dr. Ingrid Hohenstein-Wartenberg' })
  const names = card(page, 'Limits').locator('.note-card-detail, .note-card-author')
  const sheet = card(page, 'Limits').locator('.note-thumbnail')
  const expectReadable = async () => {
    const cut = await names.evaluateAll((all) =>
      all
        .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1)
        .map((each) => each.textContent),
    )
    expect(cut).toEqual([])
    const [picture, title] = await Promise.all([sheet.boundingBox(), titleLink(page, 'Limits').boundingBox()])
    if (picture && title) expect(picture.y + picture.height).toBeLessThanOrEqual(title.y)
  }
  for (const [path, count] of [
    [`/browse?courseCode=${courseCode}`, 7],
    ['/my-notes', 6],
  ] as const) {
    await page.goto(path)
    await expect(cards(page)).toHaveCount(count)
    for (const show of [asList(page), asGrid(page)]) {
      await show.click()
      for (const width of [320, 360, 390, 640, 768, 1024, 1344, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        // The rows get their final height only after the new layout.
        await expect.poll(() => measure(page), `${path} at ${width} px`).toMatchObject({ isCut: false, width: 0 })
        if (path !== '/my-notes') await expectReadable()
      }
    }
  }
})

const listUrl = /\/api\/notes(\?|$)/

/** Changes what the list says of the document of each note. */
const changeDocuments = (page: Page, change: object) =>
  page.route(listUrl, async (route) => {
    const response = await route.fetch()
    const { notes, hasMore }: NotePage = await response.json()
    const changed = notes.map((note) => ({ ...note, document: { ...note.document, ...change } }))
    await route.fulfill({ response, json: { notes: changed, hasMore } })
  })

test('the preview of a first page appears without a layout shift', async ({ page, mia, courseCode: course }) => {
  await uploadFile(mia, 'Atlas', await makeOutlinedPdf(12), course)
  const isDrawn = async () => {
    const { notes } = await ask(mia, 'GET', `/api/notes?courseCode=${course}`)
    return notes[0].document.thumbnail !== null
  }
  await expect.poll(isDrawn, { timeout: 60_000 }).toBe(true)
  // The list contains no thumbnail, as before the job has finished.
  await changeDocuments(page, { thumbnail: null, isProcessing: true })
  // Cards ask only while processing is pending.
  let asked = 0
  page.on('request', (sent) => /\/api\/notes\/by-id/.test(sent.url()) && asked++)
  await page.goto(`/browse?courseCode=${course}`)
  const atlas = card(page, 'Atlas')
  await expect(atlas.getByText(/^12 pages · \d+ kB$/)).toBeVisible()
  await expect(atlas.locator('.note-thumbnail-mark')).toHaveText('At')
  await page.evaluate(() => {
    const moved = { total: 0 }
    Object.assign(window, { moved })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.total += (entry as unknown as { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
  })

  const picture = atlas.locator('img')
  await expect
    .poll(() => picture.evaluateAll(([image]) => (image as HTMLImageElement | undefined)?.naturalWidth ?? 0))
    .toBeGreaterThan(0)
  await expect(atlas.locator('.note-thumbnail-page')).toHaveCSS('opacity', '0')
  expect(await page.evaluate(() => (window as unknown as { moved: { total: number } }).moved.total)).toBe(0)
  expect(asked).toBeGreaterThan(0)

  await page.emulateMedia({ forcedColors: 'active' })
  await expect(picture).toHaveCSS('mix-blend-mode', 'normal')
  await page.emulateMedia({ forcedColors: 'none' })

  // Where it is unavailable the placeholder is shown.
  await page.unroute(listUrl)
  await page.route(/\/api\/thumbnails\//, (route) => route.fulfill({ status: 404 }))
  await page.reload()
  await expect(picture).toHaveCount(1)
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).complete)).toBe(true)
  await expect(atlas.locator('.note-thumbnail-page')).toHaveCSS('opacity', '1')
})

test('only the owner sees which parts of a file could not be processed', async ({ page, mia, courseCode: course }) => {
  await shareFile(mia, { title: 'Scan', content: await makeOutlinedPdf(1), pageCount: 1 }, { courseCode: course })
  // The result is mocked, because a test cannot make a file end like this.
  const problems = [{ what: 'no_text' }, { what: 'picture', reason: 'timeout' }]
  await changeDocuments(page, { thumbnail: null, isProcessing: false, problems })
  await page.goto(`/browse?courseCode=${course}`)
  await expect(card(page, 'Scan').getByText('No searchable text · No preview: timed out')).toBeVisible()
  await expect(card(page, 'Scan').getByText(/1 page · /)).toBeVisible()
})
