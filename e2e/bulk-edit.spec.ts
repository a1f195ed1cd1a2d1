import { expect, type Locator, type Page } from '@playwright/test'
import { answerQuestion, clickForToast, clickTo, follow, open, pressBack } from './actions.ts'
import { card, cards, expectTitles, loadMore } from './note-lists.ts'
import { ask, deleteNote, rate, shareNote, shareNotes, uploadMany } from './notes.ts'
import { button, dialog, heading, region, toast, uniqueCourseCode } from './page.ts'
import { holdRequests, mockServerError } from './requests.ts'
import { searchBar } from './search-bar.ts'
import { test } from './test.ts'

const ownNote = /\/api\/users\/me\/notes\/[^/]+$/
const tools = (page: Page) => ({
  group: page.getByRole('checkbox', { name: 'Group by course' }),
  choose: page.getByRole('button', { name: 'Select notes' }),
})
const bar = (page: Page) => page.getByRole('region', { name: 'Selected notes' })
const tick = (page: Page | Locator, title: string) =>
  page.getByRole('checkbox', { name: `Select ${title}`, exact: true })
/** The card's image, which a finger taps. */
const picture = (page: Page, title: string) => card(page, title).locator('label')

test('My Notes are grouped by course, and a whole course is selected @phone', async ({ page, mia }) => {
  await shareNotes(mia, ['Alpha one', 'Alpha two'], { courseCode: 'AAA 1' })
  await uploadMany(mia, 30, 'MMM1')
  await shareNote(mia, 'Alpha three', { courseCode: 'AAA-1' })
  await page.goto('/my-notes')
  await expect(cards(page).first()).toContainText('Alpha three')

  // One section a course, with all ways to write it.
  const grouped = await holdRequests(page, /groupBy=course/)
  await tools(page).group.check()
  await expect(cards(page)).toHaveCount(0)
  grouped.release()
  await expect(cards(region(page, 'AAA-1'))).toHaveCount(3)
  await expect(tools(page).group).toBeFocused()
  await expect(region(page, 'AAA-1')).toContainText('3 notes')
  await expectTitles(region(page, 'AAA-1'), ['Alpha three', 'Alpha one', 'Alpha two'])
  await expect(region(page, 'MMM1')).toContainText('21 notes shown')
  await page.reload()
  await expect(region(page, 'AAA-1')).toBeVisible()
  await expect(tools(page).group).toBeChecked()

  // All of a course, also what is not loaded yet.
  await tools(page).choose.click()
  await expect(bar(page)).toContainText('0 selected')
  await mockServerError(page, /cursorId=/)
  const failed = 'Failed to load more notes. Please try again later.'
  await clickForToast(button(region(page, 'MMM1'), /^Select all in /), failed)
  await page.unroute(/cursorId=/)
  await button(region(page, 'MMM1'), /^Select all in /).click()
  await expect(bar(page)).toContainText('30 selected')
  await expect(button(region(page, 'MMM1'), /^Select all in /)).toBeFocused()
  await expect(cards(region(page, 'MMM1'))).toHaveCount(30)
  await expect(loadMore(page)).toHaveCount(0)
  await expect(tick(page, 'Alpha one')).not.toBeChecked()

  // To group neither ends the choice nor empties what is being typed.
  await searchBar(page, 'Search My Notes').unfold()
  const title = page.getByRole('search').getByLabel('Title')
  await title.fill('a title')
  await tools(page).group.uncheck()
  await expect(region(page, 'MMM1')).toHaveCount(0)
  await tools(page).group.check()
  await expect(bar(page)).toContainText('30 selected')
  await expect(title).toHaveValue('a title')
  await title.fill('')

  // And one by one at its picture.
  await picture(page, 'Alpha one').click()
  await expect(tick(page, 'Alpha one')).toBeChecked()
  await expect(bar(page)).toContainText('31 selected')
  await button(bar(page), 'Done').click()
  await expect(bar(page)).toHaveCount(0)
  await expect(tick(page, 'Alpha one')).toHaveCount(0)
  await tools(page).group.uncheck()
  await expect(region(page, 'MMM1')).toHaveCount(0)
  await expect(cards(page).first()).toContainText('Alpha three')
})

test('several notes are selected with the keyboard, and deleted @smoke', async ({ page, mia, courseCode }) => {
  const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth']
  const notes = await shareNotes(mia, names, { courseCode })
  await page.goto('/my-notes')
  await expectTitles(page, names)
  await tools(page).choose.focus()
  await page.keyboard.press('Enter')
  await expect(button(bar(page), 'Delete selected notes')).toHaveAttribute('aria-disabled', 'true')
  await tick(page, 'Second').focus()
  await page.keyboard.press('Space')
  await tick(page, 'Fourth').focus()
  await page.keyboard.press('Shift+Space')
  await expect(bar(page)).toContainText('3 selected')
  for (const title of ['Second', 'Third', 'Fourth']) await expect(tick(page, title)).toBeChecked()

  await button(bar(page), 'Delete selected notes').click()
  await expect(dialog(page).getByRole('heading', { name: 'Delete 3 notes?' })).toBeVisible()
  await expect(dialog(page)).toHaveAccessibleDescription(/Are you sure you want to delete these notes\?/)
  await button(dialog(page), 'Cancel').click()
  await expectTitles(page, names)
  await expect(bar(page)).toContainText('3 selected')

  // Each note is followed, and the others left alone; one that is gone already is no failure.
  await deleteNote(mia, notes[2]?._id ?? '')
  const held = await holdRequests(page, ownNote, 'DELETE')
  await button(bar(page), 'Delete selected notes').click()
  await button(dialog(page), 'Delete 3 notes').click()
  await expect(dialog(page).getByRole('listitem')).toHaveText([
    /Second.*In progress/,
    /Third.*Waiting/,
    /Fourth.*Waiting/,
  ])
  await expect(dialog(page).getByRole('progressbar', { name: 'Notes deleted' })).toHaveAttribute('aria-valuenow', '0')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeVisible()
  await expect.poll(() => held.requests.length).toBe(1)
  held.release()
  await expect(toast(page, '3 notes deleted.')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expectTitles(page, ['First', 'Fifth'])
  await expect(bar(page)).toContainText('0 selected')
  await page.reload()
  await expectTitles(page, ['First', 'Fifth'])
})

test('notes that cannot be deleted are listed, stay selected and can be tried again', async ({ page, mia }) => {
  const notes = await shareNotes(mia, ['One', 'Two', 'Three'], { courseCode: uniqueCourseCode() })
  await page.goto('/my-notes')
  await tools(page).choose.click()
  await button(bar(page), 'Select all').click()
  await expect(bar(page)).toContainText('3 selected')
  const failing = new RegExp(`/api/users/me/notes/(?:${notes[0]?._id}|${notes[1]?._id})$`)

  // A note without a response is reported, and the rest is not sent.
  await button(bar(page), 'Delete selected notes').click()
  await page.route(ownNote, (route) => route.abort())
  await button(dialog(page), 'Delete 3 notes').click()
  await expect(dialog(page).getByRole('listitem')).toHaveText([
    /One.*No response. .* saved\./,
    /Two.*Skipped/,
    /Three.*Skipped/,
  ])
  await expect(dialog(page)).toContainText('0 of 3 notes deleted.')
  await page.unroute(ownNote)
  await button(dialog(page), 'Close').last().click()
  await expect(bar(page)).toContainText('3 selected')
  await expectTitles(page, ['One', 'Two', 'Three'])

  // Two fail, the other does not.
  await mockServerError(page, failing, 'DELETE')
  await button(bar(page), 'Delete selected notes').click()
  await button(dialog(page), 'Delete 3 notes').click()
  await expect(dialog(page)).toContainText('1 of 3 notes deleted.')
  await expect(dialog(page).getByRole('listitem')).toHaveText([
    /One.*Failed\. Please try again later\./,
    /Two.*Failed\. Please try again later\./,
    /Three.*Deleted/,
  ])
  await page.unroute(failing)
  // By the second click, the button “Stop” is there.
  const retry = button(dialog(page), 'Retry 2 notes')
  const { width, height } = (await retry.boundingBox()) ?? { width: 0, height: 0 }
  await retry.dblclick({ position: { x: width - 20, y: height / 2 } })
  await expect(toast(page, '2 notes deleted.')).toBeVisible()
  await expect(cards(page)).toHaveCount(0)
  await expect(heading(page, 'My Notes')).toBeFocused()
})

test('several notes get the same details, and keep the other ones @smoke', async ({ page, mia, courseCode: old }) => {
  await shareNote(mia, 'Sets', { courseCode: uniqueCourseCode(), isAnonymous: true })
  await shareNotes(mia, ['Limits', 'Series'], { courseCode: old, instructor: 'Dr. Osei' })
  await page.goto('/upload')
  await follow(page, 'My Notes', 'My Notes')
  await tools(page).choose.click()
  await button(bar(page), 'Select all').click()
  await button(bar(page), 'Edit selected notes').click()
  const form = {
    course: dialog(page).getByLabel('Course Code', { exact: true }),
    year: dialog(page).getByRole('combobox', { name: 'Academic year', exact: true }),
    instructor: dialog(page).getByLabel('Instructor (optional)', { exact: true }),
    shown: dialog(page).getByRole('combobox', { name: 'Author' }),
    save: button(dialog(page), 'Update 3 notes'),
  }

  // The form shows what they have in common; without a change nothing is sent.
  await expect(form.course).toHaveValue('')
  await expect(form.year).toHaveValue('2025–26')
  await expect(form.instructor).toHaveValue('')
  await expect(form.shown).toHaveValue('')
  await form.save.click()
  await expect(dialog(page)).toContainText('Change at least one field.')
  await form.course.fill(' - ')
  await form.save.click()
  await expect(dialog(page)).toContainText('A course code needs at least one letter or digit.')

  // Course and year of all; instructor and anonymity of each as they were, as the server has them.
  await form.course.fill('phy 151')
  await form.year.selectOption('2024–25')
  // Esc and Back ask before they discard it.
  for (const leave of [() => page.keyboard.press('Escape'), () => pressBack(page)]) {
    await answerQuestion(page, 'dismiss', leave)
    await expect(form.course).toHaveValue('phy 151')
  }
  await clickForToast(form.save, '3 notes updated.')
  const facts = (title: string) => card(page, title).getByRole('definition')
  await expect(facts('Limits')).toContainText(['PHY 151', '2024–25', 'Dr. Osei'])
  await expect(facts('Sets')).toContainText(['PHY 151', '2024–25', '-'])
  await expect(card(page, 'Series')).not.toContainText('Anonymous')
  await expect(card(page, 'Sets')).toContainText('Anonymous')
})

test('My Notes and the profile show how notes were used, never by whom @phone', async ({ page, mia, ben }) => {
  const [note, other] = await shareNotes(mia, ['Heaps', 'Graphs'], {
    courseCode: uniqueCourseCode(),
    isAnonymous: true,
  })

  await page.goto('/my-notes')
  await expect(region(page, 'No readers yet')).toBeVisible()
  await open(page, '/profile', 'Mia Lund')
  await expect(page.getByText(/Your notes/)).toHaveCount(0)

  // One student, who opened two and liked one.
  for (const recentlyViewedNotes of [[note?._id], [other?._id, note?._id]])
    await ask(ben, 'PATCH', '/api/users/me', { recentlyViewedNotes })
  await rate(ben, note?._id ?? '', { likes: '+' })
  await page.goto('/my-notes')
  const help = region(page, 'Your notes helped 1 person')
  await expect(help).toContainText('Opened twice, liked once.')
  await help.getByText('Show weekly numbers').click()
  const rows = help.getByRole('table').getByRole('row')
  await expect(rows).toHaveCount(13)
  await expect(rows.nth(1).getByRole('cell')).toHaveText(['2', '1'])
  await expect(rows.nth(2).getByRole('cell')).toHaveText(['0', '0'])
  await expect(help).not.toContainText(/Ben|Ito|:\d\d/)

  await page.goto('/profile')
  await expect(page.getByText('Your notes helped 1 person. Opened twice, liked once.')).toBeVisible()
  await clickTo(page.getByRole('link', { name: 'Your notes helped 1 person' }), 'My Notes')
  await page.goto('/')
  await expect(region(page, 'Your notes helped 1 person')).toContainText('Opened twice, liked once.')
  await clickTo(region(page, 'Your notes helped 1 person').getByRole('link', { name: 'See your notes' }), 'My Notes')
})
