import { randomInt } from 'node:crypto'
import { expect, type Locator, type Page } from '@playwright/test'
import { findViolations } from './accessible.ts'
import { clickTo, enter, open } from './actions.ts'
import { card, cards, expectEachOnce, expectTitles, loadMore, titles } from './note-lists.ts'
import { ask, rate, shareFile, shareNotes, uploadFile, writePages } from './notes.ts'
import { heading, main, uniqueCourseCode } from './page.ts'
import { pdfOfPages } from './pdfs.ts'
import { expectQuery } from './requests.ts'
import { barBox, searchBar } from './search-bar.ts'
import { type Student, test } from './test.ts'

const searchCall = '/api/search'

/** Waits until a search finds `count` notes, because a job reads their text. */
async function waitUntilIndexed(student: Student, text: string, count: number): Promise<void> {
  await expect.poll(async () => (await ask(student, 'GET', `${searchCall}?text=${text}`)).hits.length).toBe(count)
}

/** Returns a word that does not occur in other notes, not even with a typing error. */
const newWord = () => Array.from({ length: 12 }, () => String.fromCharCode(97 + randomInt(26))).join('')

const snippets = (of: Page | Locator) => of.getByRole('link', { name: /^Page \d/ })

test('a search finds text inside notes and opens the page @phone @smoke', async ({ page, mia, ben }) => {
  const [courseCode, word] = [uniqueCourseCode(), newWord()]
  const heat = pdfOfPages(['Nothing yet.', `${word} <b>spreads</b> in a rod.`])
  const note = await uploadFile(ben, 'Thermodynamics', heat, courseCode)
  const waves = pdfOfPages([`About ${word} and its waves.`])
  const liked = await uploadFile(ben, 'Waves', waves, courseCode)
  await rate(mia, liked._id, { likes: '+' })
  await waitUntilIndexed(mia, word, 2)
  await open(page, '/my-notes', 'My Notes')
  const form = searchBar(page)

  await page.keyboard.press('/')
  await expect(barBox(page)).toBeFocused()
  await expect(page).toHaveURL('/my-notes')
  await page.keyboard.type(`${word} rod`)
  await expectQuery(page, searchCall, () => page.keyboard.press('Enter'), { text: `${word} rod` })
  await expect(heading(page, `Results for “${word} rod”`)).toBeVisible()
  await expect(page).toHaveURL(`/browse?q=${word}+rod`)
  await expectTitles(page, ['Thermodynamics'])
  await expect(main(page).getByRole('status').filter({ hasText: '1 note shown.' })).toHaveCount(1)

  // The passage with its page, the match marked, and never as markup.
  await expect(snippets(page)).toHaveText([/^Page 2.* <b>spreads<\/b> in a rod/])
  await expect(snippets(page).locator('mark')).toHaveText([word, 'rod'])
  await expect(snippets(page).locator('b')).toHaveCount(0)

  // Passage, title and preview open the reader in its own tab, at this page.
  const preview = { click: () => cards(page).click({ position: { x: 40, y: 40 } }) }
  for (const opener of [snippets(page), titles(page), preview]) {
    const opened = page.waitForEvent('popup')
    await opener.click()
    const tab = await opened
    await expect(tab).toHaveURL(`/notes/${note._id}?page=2&find=${word}+rod`)
    await expect(tab.locator('[data-page-number="2"] .highlight.selected')).toBeInViewport()
    await tab.close()
  }
  await expect(form.box).toHaveValue(`${word} rod`)

  // In the order of relevance, or another one.
  await enter(form.box, word)
  await expect(titles(page)).toHaveCount(2)
  await form.unfold()
  await expect(form.sortBy.getByRole('option')).toHaveText(['Most Relevant', 'Most Recent', 'Most Liked'])
  await expect(form.sortBy).toHaveValue('relevance')
  await expectQuery(page, searchCall, () => form.sortBy.selectOption('likes'), { text: word, sortBy: 'likes' })
  await expectTitles(page, ['Waves', 'Thermodynamics'])

  // Narrowed by the four fields, which can be cleared.
  await form.unfold()
  await enter(form.title, 'thermo')
  await expectTitles(page, ['Thermodynamics'])
  await expect(page).toHaveURL(`/browse?q=${word}&title=thermo&sortBy=likes`)
  await form.clear.click()
  await expect(page).toHaveURL(`/browse?q=${word}`)
  await expect(titles(page)).toHaveCount(2)
  await expect(form.sortBy).toHaveValue('relevance')

  await enter(form.box, '')
  await expect(heading(page, 'Browse Notes')).toBeVisible()
  await expect(page).toHaveURL('/browse')
  await form.unfold()
  await expect(form.sortBy.getByRole('option')).toHaveText(['Most Recent', 'Most Liked'])

  // Liked notes and your own notes work the same way, and your own can be edited.
  await page.goto('/liked-notes')
  const likedBox = page.getByLabel('Search inside liked notes', { exact: true })
  await likedBox.fill(word)
  await expectQuery(page, searchCall, () => likedBox.press('Enter'), { text: word, scope: 'liked' })
  await expect(heading(page, `Results in Liked Notes for “${word}”`)).toBeVisible()
  await expect(page).toHaveURL(`/liked-notes?q=${word}`)
  await expectTitles(page, ['Waves'])
  await expect(snippets(page).locator('mark')).toHaveText([word])

  await uploadFile(mia, 'Light', pdfOfPages([`${word} and light.`]), courseCode)
  await waitUntilIndexed(mia, word, 3)
  await page.goto(`/my-notes?q=${word}`)
  await expectTitles(page, ['Light'])
  await expect(page.getByRole('button', { name: 'Edit Note: Light' })).toBeVisible()
})

test('results are counted and loaded further, and six dense results fit on a screen', async ({ page, mia, ben }) => {
  const word = newWord()
  const weeks = Array.from({ length: 13 }, (_, at) => `Limits and continuity, week ${at}`)
  const notes = await shareNotes(ben, weeks, { instructor: 'Prof. Irina Petrova' })
  const passage = `${'Before that, much is said of other things. '.repeat(2)}The ${word} of a sequence.`
  for (const { _id } of notes.slice(1)) await writePages(ben, _id, [passage])
  await writePages(ben, notes[0]?._id ?? '', Array(15).fill(passage))
  await page.goto(`/browse?q=${word}`)
  await expect(main(page).getByText('13 notes, most relevant first', { exact: true })).toBeVisible()
  const long = card(page, 'Limits and continuity, week 0')
  await expect(snippets(long)).toHaveText([/^Page 1\D/, /^Page 2\D/, /^Page 3\D/])
  await expect(long.getByRole('link', { name: '12 more in this note' })).toHaveAttribute(
    'href',
    `/notes/${notes[0]?._id}?page=1&find=${word}&panel=matches`,
  )

  await page.getByRole('button', { name: 'Compact view' }).click()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const marks = cards(page).locator('mark:visible')
    await expect(marks).toHaveCount(12)
    // Scrolls to the results, as a phone does after a search.
    if (width < 640) await heading(page, `Results for “${word}”`).evaluate((title) => title.scrollIntoView())
    const seen = await marks.evaluateAll(
      (all) => all.filter((mark) => mark.getBoundingClientRect().bottom < innerHeight).length,
    )
    expect(seen, `at ${width} px`).toBeGreaterThanOrEqual(6)
  }
  expect(await findViolations(page)).toEqual([])

  // The rest is loaded, each note once.
  await expectQuery(page, searchCall, () => loadMore(page).click(), {
    text: word,
    sortBy: 'relevance',
    cursor: expect.any(String),
  })
  await expectEachOnce(page, notes)
  await expect(titles(page).nth(12)).toBeFocused()
})

test('the reader marks a phrase as one, lists every match, and keeps its place', async ({ page, mia, ben }) => {
  const content = pdfOfPages([
    'A linear map has a kernel.',
    'This map is not linear.',
    'Each linear map, and every linear map again.',
    'A map of the city.',
  ])
  const note = await shareFile(ben, { title: 'Maps', content, pageCount: 4 })
  await page.goto(`/notes/${note._id}?page=3&find=%22linear+map%22&panel=matches`)
  const listed = page.getByRole('list', { name: 'Matches' }).getByRole('button')
  await expect(page.getByText('2 of 3', { exact: true })).toBeVisible()
  await expect(listed).toHaveText([/^Page 1…A linear map has a/, /^Page 3…Each linear map, and/, /^Page 3/])
  await expect(listed.locator('mark')).toHaveText(['linear map', 'linear map', 'linear map'])
  await expect(listed.nth(1)).toHaveAttribute('aria-current', 'true')
  expect(await findViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Previous match' }).click()
  await expect(page.getByText('1 of 3', { exact: true })).toBeVisible()
  await expect(page.locator('[data-page-number="1"] .highlight.selected')).toBeInViewport()
  await expect(page).toHaveURL(`/notes/${note._id}?page=1&find=%22linear+map%22&panel=matches`)
  await listed.last().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('3 of 3', { exact: true })).toBeVisible()
  await expect(page.locator('[data-page-number="3"] .highlight.selected')).toBeInViewport()
  await expect(page.locator('.highlight.selected')).toHaveCount(1)
  // Also after the last match was scrolled out of view.
  await enter(page.getByLabel('Page', { exact: true }), '1')
  await expect(page.locator('[data-page-number="1"]')).toBeInViewport()
  await listed.nth(1).click()
  await expect(page.getByText('2 of 3', { exact: true })).toBeVisible()

  // What is typed is in the address as well, which opens there.
  await page.getByRole('textbox', { name: 'Find in this note' }).fill('city')
  await expect(page).toHaveURL(`/notes/${note._id}?page=4&quote=city&panel=matches`)
  await page.reload()
  await expect(page.locator('[data-page-number="4"] .highlight.selected')).toHaveText('city')
  await expect(listed).toHaveText([/^Page 4…A map of the city/])

  // And Back opens the search that it was opened for.
  await page.goto(`/notes/${note._id}?page=3&find=kernel`)
  await expect(page.getByRole('link', { name: 'Back' })).toHaveAttribute('href', '/browse?q=kernel')
})

test('a search without matches suggests one that has matches', async ({ page, mia }) => {
  const word = newWord()
  const content = pdfOfPages(['An empty page.'])
  await uploadFile(mia, `Thermodynamics ${word}`, content, uniqueCourseCode())
  await waitUntilIndexed(mia, word, 1)

  await page.goto(`/browse?q=${word}+zyzzxq`)
  await expect(page.getByText('No notes were found.').last()).toBeVisible()
  // The text is visible once; the other copy is for screen readers.
  await expect(page.getByText('No notes were found.').and(page.locator(':not([aria-hidden=true])'))).toHaveCount(1)
  await expect(main(page).getByText(`You searched for “${word} zyzzxq”.`)).toBeVisible()
  await page.getByRole('button', { name: `Search for “${word}”` }).click()
  await expectTitles(page, [`Thermodynamics ${word}`])
  await expect(searchBar(page).box).toHaveValue(word)

  await page.goto('/browse?q=%22…%22')
  await expect(main(page).getByText('Enter something to search for.').last()).toBeVisible()
  await clickTo(main(page).getByRole('button', { name: 'Show all notes' }), 'Browse Notes')
})
