import { expect, type Page } from '@playwright/test'
import { answerQuestion, clickForToast, clickTo, open, pressBack } from './actions.ts'
import { expectFieldError, expectNoFieldError } from './forms.ts'
import {
  card,
  expectTitles,
  fetchError,
  likeButton,
  loadMore,
  noteNotFoundMessage,
  titleLink,
  titles,
} from './note-lists.ts'
import { ask, deleteNote, rate, shareNote, uploadMany } from './notes.ts'
import { dialog, heading, main, navLink, toast, uniqueCourseCode } from './page.ts'
import { expectQuery, holdRequests, listCalls, mockServerError } from './requests.ts'
import { searchBar } from './search-bar.ts'
import { test } from './test.ts'

const listCall = '/api/users/me/notes'
const noteUrl = /\/api\/users\/me\/notes\/[^/]+$/
const fillRequired = 'Please fill in all required fields.'
const updated = 'Note updated successfully!'
const deleted = 'Note deleted successfully.'

const editButton = (page: Page, title: string) =>
  card(page, title).getByRole('button', { name: `Edit Note: ${title}`, exact: true })
const deleteButton = (page: Page, title: string) =>
  card(page, title).getByRole('button', { name: `Delete Note: ${title}`, exact: true })

/** Returns the fields of the edit dialog by their labels. */
function editForm(page: Page) {
  const within = dialog(page)
  return {
    title: within.getByLabel('Title', { exact: true }),
    courseCode: within.getByLabel('Course Code', { exact: true }),
    academicYear: within.getByRole('combobox', { name: 'Academic year', exact: true }),
    instructor: within.getByLabel('Instructor (optional)', { exact: true }),
    isAnonymous: within.getByRole('checkbox', { name: 'Display Anonymously', exact: true }),
    cancel: within.getByRole('button', { name: 'Cancel', exact: true }),
    save: within.getByRole('button', { name: 'Save Changes', exact: true }),
  }
}

test('My Notes shows only your own notes, and searches among them', async ({ page, mia, ben, courseCode }) => {
  await shareNote(ben, 'Somebody else’s', { courseCode })

  await open(page, '/my-notes', 'My Notes')
  const bar = searchBar(page, 'Search My Notes').bar
  await expect(bar.getByRole('heading', { name: 'Search My Notes', exact: true })).toBeVisible()
  await expect(main(page).getByText('No notes were found.', { exact: true })).not.toHaveCount(0)
  await clickTo(main(page).getByRole('link', { name: 'Upload notes' }), 'Upload Notes')

  await uploadMany(mia, 26, courseCode)
  await shareNote(mia, 'In another course', { courseCode: uniqueCourseCode() })

  await page.goto('/my-notes')
  await expect(titles(page)).toHaveCount(24)
  // The buttons of each note are named after it for screen readers.
  const named = new Set(await titles(page).evaluateAll((all) => all.map((each) => each.getAttribute('title') ?? '')))
  for (const title of named) {
    await expect(editButton(page, title)).toHaveText('Edit Note')
    await expect(deleteButton(page, title)).toHaveText('Delete Note')
  }
  expect(named.size).toBe(24)
  const form = searchBar(page, 'Search My Notes')
  await form.courseCode.fill(courseCode)
  await expectQuery(page, listCall, () => form.search.click(), { courseCode })
  await expect(page).toHaveURL(`/my-notes?courseCode=${courseCode}`)
  await expect(card(page, 'In another course')).toHaveCount(0)
  await expect(titles(page)).toHaveCount(24)

  // And the rest of them, also while the list is being refreshed.
  await clickTo(navLink(page, 'Browse'), 'Browse Notes')
  await page.clock.setFixedTime(Date.now() + 60_000)
  const refresh = await holdRequests(page, /\/api\/users\/me\/notes\?(?!.*cursorId)/, 'GET')
  await page.goBack()
  await expect(titles(page)).toHaveCount(24)
  await expect.poll(() => refresh.requests.length).toBe(1)
  await loadMore(page).click()
  await expect(titles(page)).toHaveCount(26)
  refresh.release()
  await expect(page.getByText('You', { exact: true })).toHaveCount(26)
  await expect(loadMore(page)).toHaveCount(0)
})

test('an edit is checked, saved and shown as the server has it @smoke', async ({ page, mia, ben, courseCode }) => {
  const lost = await shareNote(mia, 'Deleted elsewhere', { courseCode })
  const original = { courseCode, academicYear: '2024–25', instructor: 'Dr. Osei' }
  const note = await shareNote(mia, 'Limits', original)
  await page.goto(`/my-notes?courseCode=${courseCode}`)
  const changes = listCalls(page, noteUrl)
  const form = editForm(page)
  const facts = card(page, 'Limits').getByRole('definition')
  /** A card behind the dialog, which hides it from assistive technology and therefore from role queries. */
  const behind = page.locator('article', { hasText: 'Limits' })
  const expectOriginal = async () => {
    await expect(form.courseCode).toHaveValue(courseCode)
    await expect(form.academicYear).toHaveValue('2024–25')
    await expect(form.instructor).toHaveValue('Dr. Osei')
    await expect(form.isAnonymous).not.toBeChecked()
  }
  const change = async () => {
    await form.courseCode.fill(' abc 1 ')
    await form.academicYear.selectOption('2023–24')
    await form.instructor.fill('  ')
    await form.isAnonymous.check()
  }

  // Cancel and Esc change nothing, and Esc asks first.
  const leaveByEsc = async () => {
    await answerQuestion(page, 'dismiss', () => page.keyboard.press('Escape'))
    await expect(form.courseCode).toHaveValue(' abc 1 ')
    await answerQuestion(page, 'accept', () => page.keyboard.press('Escape'))
  }
  for (const leave of [() => form.cancel.click(), leaveByEsc]) {
    await editButton(page, 'Limits').click()
    await expectOriginal()
    await change()
    await leave()
    await expect(dialog(page)).toHaveCount(0)
    await expect(editButton(page, 'Limits')).toBeFocused()
  }
  await expect(facts.first()).toHaveText(courseCode)

  await editButton(page, 'Limits').click()
  await expect(dialog(page)).toContainText('Limits')
  await form.courseCode.fill('   ')
  await clickForToast(form.save, fillRequired)
  await expectFieldError(form.courseCode, fillRequired)
  await expectNoFieldError(form.instructor)
  await expect(form.courseCode).toBeFocused()
  await expect(form.academicYear.getByRole('option', { name: '', exact: true })).toHaveCount(0)
  expect(changes).toEqual([])

  // A failure puts the original values back.
  await mockServerError(page, noteUrl, 'PATCH')
  await change()
  await clickForToast(form.save, 'Failed to update note. Please try again later.')
  await expectOriginal()
  await expect(behind.locator('dd')).toContainText([courseCode, '2024–25', 'Dr. Osei'])
  await page.unrouteAll()

  // Saving the original values sends nothing, and does not say that something was saved.
  const before = changes.length
  await form.save.click()
  await expect(dialog(page)).toHaveCount(0)
  expect(changes).toHaveLength(before)
  await expect(toast(page, updated)).toHaveCount(0)
  await editButton(page, 'Limits').click()

  // The card becomes the server’s copy.
  // The page does not know of this like until it receives the server's copy.
  await rate(ben, note._id, { likes: '+' })
  await expect(behind.getByTitle('You can’t rate your own note.')).toHaveText([/0$/, /0$/])
  const held = await holdRequests(page, noteUrl, 'PATCH')
  await change()
  await form.save.click()
  await expect(form.save).toHaveAttribute('aria-busy', 'true')
  await expect(form.cancel).toBeDisabled()
  await expect(form.courseCode).toBeDisabled()
  await form.save.click({ force: true })
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeVisible()
  await expect(behind.locator('dd').first()).toHaveText(courseCode)
  held.release()
  await expect(toast(page, updated)).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  expect(held.requests.map((sent) => sent.postDataJSON())).toEqual([
    { courseCode: 'ABC 1', academicYear: '2023–24', isAnonymous: true },
  ])
  await expect(facts).toContainText(['ABC 1', '2023–24', '-', 'You'])
  await expect(likeButton(card(page, 'Limits'))).toHaveText(/1$/)
  await expect(editButton(page, 'Limits')).toBeFocused()

  await editButton(page, 'Limits').click()
  await expect(form.courseCode).toHaveValue('ABC 1')
  await expect(form.academicYear).toHaveValue('2023–24')
  await expect(form.instructor).toHaveValue('')
  await expect(form.isAnonymous).toBeChecked()
  await expect(form.title).toHaveValue('Limits')

  await form.title.fill(' ')
  await form.save.click()
  await expectFieldError(form.title, fillRequired)
  await form.title.fill(' Limits and continuity ')
  await form.save.click()
  await expect(dialog(page)).toHaveCount(0)

  await editButton(page, 'Deleted elsewhere').click()
  await deleteNote(mia, lost._id)
  await form.instructor.fill('Dr. Osei')
  await clickForToast(form.save, noteNotFoundMessage)
  await expect(dialog(page)).toHaveCount(0)
  await expectTitles(page, ['Limits and continuity'])
})

test('two tabs never undo each other’s edits, and ask where they are at odds', async ({ page, mia, courseCode }) => {
  const note = await shareNote(mia, 'Optics', { courseCode, instructor: 'Dr. Osei' })
  const tabs = [page, await page.context().newPage()] as const
  for (const tab of tabs) await tab.goto(`/my-notes?courseCode=${courseCode}`)
  const [one, two] = tabs.map(editForm) as [ReturnType<typeof editForm>, ReturnType<typeof editForm>]
  const openBoth = () => Promise.all(tabs.map((tab) => editButton(tab, 'Optics').click()))
  const save = async ([tab, form]: [Page, typeof one]) => {
    await form.save.click()
    await expect(dialog(tab)).toHaveCount(0)
  }
  const facts = card(tabs[1], 'Optics').getByRole('definition')

  // Edits of different details are both kept.
  await openBoth()
  await one.instructor.fill('Dr. Noor')
  await save([page, one])
  await two.academicYear.selectOption('2023–24')
  await save([tabs[1], two])
  await expect(facts).toContainText([courseCode, '2023–24', 'Dr. Noor'])

  // Of the same detail both versions are shown.
  await openBoth()
  await one.instructor.fill('')
  await save([page, one])
  await two.instructor.fill('Dr. Vega')
  await two.save.click()
  await expectFieldError(two.instructor, 'Changed to “-” in the meantime. Try again to replace it.')
  await expect(two.instructor).toHaveValue('Dr. Vega')
  await save([tabs[1], two])
  await expect(facts).toContainText([courseCode, '2023–24', 'Dr. Vega'])

  // A note that became anonymous stays so, after a question.
  await openBoth()
  await one.isAnonymous.check()
  await save([page, one])
  await two.title.fill('Optics II')
  await two.save.click()
  await expectFieldError(two.isAnonymous, 'Turned on in the meantime.')
  await expect(two.isAnonymous).toBeChecked()
  await expect(two.title).toHaveValue('Optics II')
  await save([tabs[1], two])
  const saved = await ask(mia, 'GET', `/api/notes/${note._id}`)
  expect(saved).toMatchObject({ title: 'Optics II', instructor: 'Dr. Vega', isAnonymous: true })
})

test('a deletion is confirmed, and removes the note from every list @smoke', async ({ page, mia, courseCode }) => {
  const ids: string[] = []
  for (const title of ['Third', 'Second', 'First']) ids.unshift((await shareNote(mia, title, { courseCode }))._id)
  const changes = listCalls(page, noteUrl)
  const recent = page.getByRole('region', { name: 'Recently viewed' })

  await ask(mia, 'PATCH', '/api/users/me', { recentlyViewedNotes: ids.slice(0, 1) })
  await page.goto('/')
  await expectTitles(recent, ['First'])
  await navLink(page, 'My Notes').click()
  await expectTitles(page, ['First', 'Second', 'Third'])

  for (const leave of [
    () => dialog(page).getByRole('button', { name: 'Cancel', exact: true }).click(),
    () => page.keyboard.press('Escape'),
  ]) {
    await deleteButton(page, 'First').click()
    await expect(dialog(page).getByRole('heading', { name: 'Delete this note?', exact: true })).toBeVisible()
    await expect(dialog(page)).toHaveAccessibleDescription('Are you sure you want to delete this note?')
    await expect(dialog(page)).toContainText('First')
    await expect(dialog(page).getByRole('button', { name: 'Cancel', exact: true })).toBeFocused()
    await leave()
    await expect(dialog(page)).toHaveCount(0)
    await expect(deleteButton(page, 'First')).toBeFocused()
  }
  expect(changes).toEqual([])
  await expectTitles(page, ['First', 'Second', 'Third'])

  const confirm = dialog(page).getByRole('button', { name: 'Delete', exact: true })

  await mockServerError(page, noteUrl, 'DELETE')
  await deleteButton(page, 'First').click()
  await clickForToast(confirm, 'Failed to delete note. Please try again later.')
  await expect(confirm).not.toHaveAttribute('aria-busy')
  await page.unrouteAll()
  await page.keyboard.press('Escape')
  await expectTitles(page, ['First', 'Second', 'Third'])

  // One request, then it is gone from here and from recently viewed.
  changes.length = 0
  const held = await holdRequests(page, noteUrl, 'DELETE')
  await deleteButton(page, 'First').click()
  await confirm.dblclick()
  await expect(confirm).toHaveAttribute('aria-busy', 'true')
  await confirm.click({ force: true })
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeVisible()
  held.release()
  await expect(toast(page, deleted)).toBeVisible()
  await expectTitles(page, ['Second', 'Third'])
  expect(changes).toEqual([`DELETE /api/users/me/notes/${ids[0]}`])
  await expect(titleLink(page, 'Second')).toBeFocused()
  await page.getByRole('link', { name: 'Lectern, home' }).click()
  await expect(recent).toBeVisible()
  await expect(titles(recent)).toHaveCount(0)
  await page.goto('/my-notes')
  await expectTitles(page, ['Second', 'Third'])

  // A note that is gone by then, and the last one.
  await deleteButton(page, 'Third').click()
  await deleteNote(mia, ids[2] ?? '')
  await clickForToast(confirm, noteNotFoundMessage)
  await expectTitles(page, ['Second'])
  await expect(titleLink(page, 'Second')).toBeFocused()

  await deleteButton(page, 'Second').click()
  await clickForToast(confirm, deleted)
  await expect(main(page).getByText('No notes were found.', { exact: true })).not.toHaveCount(0)
  await expect(heading(page, 'My Notes')).toBeFocused()
  await expect(main(page).getByRole('link', { name: 'Upload notes' })).toBeVisible()
})

test('a list is not called empty while its other notes cannot be loaded', async ({ page, mia, courseCode }) => {
  for (const title of ['Older', 'Newest']) await shareNote(mia, title, { courseCode })
  await page.route(/\/api\/users\/me\/notes(\?.*)?$/, async (route) => {
    if (route.request().url().includes('cursorId')) return route.fulfill({ status: 500, json: {} })
    const response = await route.fetch()
    const { notes } = await response.json()
    return route.fulfill({ response, json: { notes: notes.slice(0, 1), hasMore: true } })
  })
  await page.goto('/my-notes')
  await deleteButton(page, 'Newest').click()
  await clickForToast(dialog(page).getByRole('button', { name: 'Delete' }), deleted)
  await expect(main(page).getByText(fetchError).first()).toBeVisible()
  await expect(main(page).getByText('No notes were found.')).toHaveCount(0)
})

test('on a touch screen, a dialog opens without the keyboard @phone @fingers', async ({ page, mia, courseCode }) => {
  await shareNote(mia, 'Limits', { courseCode })
  await page.goto(`/my-notes?courseCode=${courseCode}`)
  await editButton(page, 'Limits').tap()
  await expect(dialog(page).locator(':focus')).toHaveCount(1)
  await expect(dialog(page).locator('input:focus')).toHaveCount(0)
})

test('Back asks before it discards what was typed in a dialog', async ({ page, mia }) => {
  const title = `Limits ${uniqueCourseCode()}`
  await shareNote(mia, title, {})
  await page.goto('/browse')
  await navLink(page, 'My Notes').click()
  await editButton(page, title).click()
  const form = editForm(page)
  await form.instructor.fill('Dr. Osei')
  await answerQuestion(page, 'dismiss', () => pressBack(page))
  await expect(form.instructor).toHaveValue('Dr. Osei')
  await expect(page).toHaveURL('/my-notes')
  await answerQuestion(page, 'accept', () => pressBack(page))
  await expect(page).toHaveURL('/browse')
})
