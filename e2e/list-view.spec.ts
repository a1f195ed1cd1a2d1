import { expect, type Locator, type Page } from '@playwright/test'
import { card, cards, expectTitles, heading, likeButton, titleLink } from './note-lists.ts'
import { shareNote, shareNotes, uniqueCourseCode } from './notes.ts'
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

test('a list of lines beside the grid tells all that a card does, on every page @phone', async ({ page, mia, ben }) => {
  const courseCode = uniqueCourseCode()
  await shareNote(ben, 'Limits', { courseCode, academicYear: '2024–25', instructor: 'Dr. Osei' })
  await shareNote(mia, 'Own', { courseCode, isAnonymous: true })
  await page.goto(`/browse?courseCode=${courseCode}`)
  await expectTitles(page, ['Own', 'Limits'])
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
  await card(page, 'Limits').getByRole('link', { name: 'Ben Ito' }).click()
  await expect(heading(page, 'Ben Ito')).toBeVisible()
  await expect(asList(page)).toHaveAttribute('aria-pressed', 'true')
  expect((await measure(page)).height).toBeLessThan(height / 2)
  await page.goto(`/courses/${courseCode}`)
  await expect(asList(page)).toHaveAttribute('aria-pressed', 'true')
  const ofCourse = page.getByRole('region', { name: 'Notes', exact: true })
  await expectTitles(ofCourse, ['Own', 'Limits'])
  expect((await measure(ofCourse)).height).toBeLessThan(height / 2)
  await page.goto('/my-notes')
  await expect(asList(page)).toHaveAttribute('aria-pressed', 'true')
  await card(page, 'Own').getByRole('button', { name: 'Edit Note: Own' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await asGrid(page).click()
  await page.goto('/liked-notes')
  await expect(heading(page, 'Liked Notes')).toBeVisible()
  await expect(asGrid(page)).toHaveAttribute('aria-pressed', 'true')
})

test('whatever notes are called, no card and no line is cut off or pushes the page', async ({ page, signIn }) => {
  const mia = await signIn({ name: 'Maximiliane-Theodora von und zu Hohenstein-Wartenberg' })
  const courseCode = uniqueCourseCode()
  const titles = [
    'W'.repeat(120),
    'ملاحظات حول الجبر الخطي والمصفوفات للسنة الأولى',
    '線形代数学の講義ノート第三章固有値と固有ベクトル',
    'é',
    '🦉🦉 x',
  ]
  await shareNotes(mia, titles, { courseCode, instructor: 'X'.repeat(100) })
  await shareNote(mia, 'Long course', { courseCode: `${courseCode}-${'M'.repeat(22)}`, isAnonymous: true })
  for (const path of [`/browse?courseCode=${courseCode}`, '/my-notes']) {
    await page.goto(path)
    await expect(cards(page)).toHaveCount(6)
    for (const show of [asList(page), asGrid(page)]) {
      await show.click()
      for (const width of [320, 360, 390, 640, 768, 1024, 1344, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        // The rows get their final height only after the new layout.
        await expect.poll(() => measure(page), `${path} at ${width} px`).toMatchObject({ isCut: false, width: 0 })
      }
    }
  }
})

test('cards of a row are alike, whatever is on them, and badges cover nothing @phone', async ({ page, mia, ben }) => {
  const courseCode = uniqueCourseCode()
  await shareNote(ben, 'Limits', { courseCode, instructor: 'Dr. Osei' })
  await shareNote(ben, 'A title that is much too long for the one line that the others need', { courseCode })
  await shareNote(mia, 'Own', { courseCode, isAnonymous: true })
  await page.goto(`/browse?courseCode=${courseCode}`)
  await expect(cards(page)).toHaveCount(3)
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
})

test('a name is readable in full, on a card and in a row, at any width', async ({ page, createStudent, signIn }) => {
  const mia = await createStudent({ name: 'Chiamaka Okonkwo-Lindqvist' })
  const courseCode = uniqueCourseCode()
  await shareNote(mia, 'Limits', { courseCode, instructor: 'Prof. Dr. Ingrid Hohenstein-Wartenberg' })
  await signIn()
  await page.goto(`/browse?courseCode=${courseCode}`)
  const facts = card(page, 'Limits').locator('.note-card-detail, .note-card-author')
  const sheet = card(page, 'Limits').locator('.note-thumbnail')
  for (const show of [asList(page), asGrid(page)]) {
    await show.click()
    for (const width of [320, 360, 390, 640, 768, 1024, 1344, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const cut = await facts.evaluateAll((all) =>
        all
          .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1)
          .map((each) => each.textContent),
      )
      expect(cut, `at ${width} px`).toEqual([])
      const [picture, title] = await Promise.all([sheet.boundingBox(), titleLink(page, 'Limits').boundingBox()])
      if (picture && title) expect(picture.y + picture.height, `at ${width} px`).toBeLessThanOrEqual(title.y)
    }
  }
})
