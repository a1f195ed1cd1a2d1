import { expect } from '@playwright/test'
import type { Note } from '../packages/contract/notes.ts'
import { card } from './note-lists.ts'
import { ask, shareFile, uniqueCourseCode, uploadFile } from './notes.ts'
import { makeOutlinedPdf } from './reader-files.ts'
import { test } from './test.ts'

const listUrl = /\/api\/notes(\?|$)/
const byIdUrl = /\/api\/notes\/by-id/

test('the preview of a first page appears on its card automatically, in its place', async ({ page, mia }) => {
  const course = uniqueCourseCode()
  await uploadFile(mia, 'Atlas', await makeOutlinedPdf(12), course)
  const isDrawn = async () => {
    const { notes } = await ask(mia, 'GET', `/api/notes?courseCode=${course}`)
    return notes[0].document.thumbnail !== null
  }
  await expect.poll(isDrawn, { timeout: 60_000 }).toBe(true)
  // The list contains no thumbnail, as before the job has finished.
  await page.route(listUrl, async (route) => {
    const response = await route.fetch()
    const { notes, hasMore } = (await response.json()) as { notes: Note[]; hasMore: boolean }
    const before = notes.map((note) => ({
      ...note,
      document: { ...note.document, thumbnail: null, isProcessing: true },
    }))
    await route.fulfill({ response, json: { notes: before, hasMore } })
  })
  // Cards ask only while processing is pending.
  let asked = 0
  page.on('request', (sent) => byIdUrl.test(sent.url()) && asked++)
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

  await test.step('no contrast theme darkens it', async () => {
    await page.emulateMedia({ forcedColors: 'active' })
    await expect(picture).toHaveCSS('mix-blend-mode', 'normal')
    await page.emulateMedia({ forcedColors: 'none' })
  })

  await test.step('where it is unavailable the placeholder is shown', async () => {
    await page.unroute(listUrl)
    await page.route(/\/api\/thumbnails\//, (route) => route.fulfill({ status: 404 }))
    await page.reload()
    await expect(picture).toHaveCount(1)
    await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).complete)).toBe(true)
    await expect(atlas.locator('.note-thumbnail-page')).toHaveCSS('opacity', '1')
  })
})

test('what could not be had of a file is said to its owner alone', async ({ page, mia }) => {
  const course = uniqueCourseCode()
  await shareFile(mia, { title: 'Scan', content: await makeOutlinedPdf(1), pageCount: 1 }, { courseCode: course })
  // The result is mocked, because a test cannot make a file end like this.
  await page.route(listUrl, async (route) => {
    const response = await route.fetch()
    const { notes, hasMore } = (await response.json()) as { notes: Note[]; hasMore: boolean }
    const problems = [{ what: 'no_text' }, { what: 'picture', reason: 'timeout' }]
    const done = { thumbnail: null, isProcessing: false, problems }
    const json = { notes: notes.map((note) => ({ ...note, document: { ...note.document, ...done } })), hasMore }
    await route.fulfill({ response, json })
  })
  await page.goto(`/browse?courseCode=${course}`)
  await expect(card(page, 'Scan').getByText('No searchable text · No preview: timed out')).toBeVisible()
  await expect(card(page, 'Scan').getByText(/1 page · /)).toBeVisible()
})
