import { expect, type Page } from '@playwright/test'
import { clickForToast, open } from './actions.ts'
import { likeButton } from './note-lists.ts'
import { ask, deleteNote, shareNote } from './notes.ts'
import { button, main, toast, uniqueCourseCode } from './page.ts'
import { listCalls } from './requests.ts'
import { test } from './test.ts'

async function report(page: Page, noteId: string): Promise<void> {
  await page.goto(`/notes/${noteId}`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Report note' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report note' })
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(dialog.getByText('Choose a reason.')).toBeVisible()
  await dialog.getByRole('radio', { name: /^Unreleased exam/ }).check()
  await dialog.getByRole('textbox').fill('It is written next week.')
  // Some users double-click everything.
  await dialog.getByRole('button', { name: 'Send report' }).dblclick()
}

test('a note is reported, hidden and restored @smoke', async ({
  page: readersPage,
  openBrowser,
  mia,
  ben,
  moderator,
}) => {
  // The title is unique, because other tests report notes on the same server.
  const title = `Old exams ${uniqueCourseCode()}`
  const { _id: noteId } = await shareNote(ben, title, { isAnonymous: true })
  const [moderatorsPage, authorsPage] = [await openBrowser(moderator), await openBrowser(ben)]
  const matter = moderatorsPage.getByRole('article', { name: title })
  const decide = async (action: string, reason: string) => {
    await matter.getByRole('button', { name: `${action}: ${title}` }).press('Enter')
    const dialog = moderatorsPage.getByRole('dialog', { name: `${action}: ${title}` })
    await expect(dialog.getByRole('combobox', { name: 'Rule' })).toBeFocused()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason)
    await dialog.getByRole('button', { name: action, exact: true }).press('Enter')
    await expect(dialog).toBeHidden()
  }

  // A reader reports it, once.
  const sent = listCalls(readersPage, /\/reports$/)
  await report(readersPage, noteId)
  await expect(toast(readersPage, 'Thanks. The moderators will review it.')).toBeVisible()
  expect(sent).toHaveLength(1)
  await report(readersPage, noteId)
  await expect(toast(readersPage, 'You’ve already reported this note. Thank you!')).toBeVisible()

  await open(readersPage, '/moderation', '404 Page Not Found')
  await expect(readersPage).toHaveTitle(/404 Page Not Found/)

  await moderatorsPage.goto('/')
  await moderatorsPage.getByRole('link', { name: /\d notes? needs? review$/ }).click()
  await main(moderatorsPage).getByRole('link', { name: 'Moderation' }).click()
  await expect(matter).toContainText('Reported: Unreleased exam')
  await expect(matter).toContainText('It is written next week.')
  await expect(matter).toContainText('anonymous')
  await decide('Hide', 'It is written next week, says the institute.')
  const waiting = moderatorsPage.getByRole('region', { name: 'Needs review' })
  await expect(waiting.getByRole('article', { name: title })).toBeHidden()
  // The focus moves to the next note, if another test has reported one, or to the heading.
  await expect(waiting.locator(':is(h2, h3):focus')).toBeInViewport()
  await expect(moderatorsPage.getByRole('dialog')).toBeHidden()
  await open(readersPage, `/notes/${noteId}`, 'Note not found')

  // Moderators still read it, but cannot rate it.
  await open(moderatorsPage, `/notes/${noteId}`, title)
  await expect(moderatorsPage.locator('[data-loaded="true"]')).toBeVisible()
  await expect(likeButton(main(moderatorsPage))).toHaveCount(0)
  await open(moderatorsPage, '/moderation', 'Moderation')

  // Its author reads why, and objects.
  await authorsPage.goto('/my-notes')
  await expect(main(authorsPage).getByText('Hidden: Unreleased exam')).toBeVisible()
  const inbox = authorsPage.getByRole('region', { name: 'Messages from moderators' })
  await expect(inbox).toContainText('It is written next week, says the institute.')
  await inbox.getByRole('button', { name: `Appeal: ${title}` }).click()
  const objection = authorsPage.getByRole('dialog', { name: 'Appeal this decision' })
  await objection.getByRole('textbox').fill('It is the one of 2019.')
  await objection.getByRole('button', { name: 'Send appeal' }).click()
  // The author has no open message, and the pressed button is removed.
  await expect(inbox).toBeHidden()
  await expect(authorsPage.getByRole('heading', { name: 'My Notes', exact: true })).toBeFocused()
  await main(authorsPage).getByText('Earlier messages (1)').click()
  await expect(main(authorsPage).getByText('Waiting for a decision.')).toBeVisible()

  // A moderator restores it, and all members read why.
  await moderatorsPage.reload()
  await expect(matter).toContainText('It is the one of 2019.')
  await decide('Restore', 'Its author was right.')
  await expect(moderatorsPage.locator('main :is(h2, h3):focus')).toBeInViewport()
  await open(readersPage, `/notes/${noteId}`, title)
  await readersPage.goto('/browse')
  await readersPage.getByRole('link', { name: 'Moderation log' }).click()
  await expect(readersPage.getByRole('listitem').filter({ hasText: 'Its author was right.' })).toContainText('Restored')
  await authorsPage.reload()
  await expect(authorsPage.getByRole('heading', { name: 'My Notes', exact: true })).toBeVisible()
  await expect(authorsPage.getByRole('region', { name: 'Messages from moderators' })).toBeHidden()
})

test('a failed decision keeps the text; a late one fails', async ({
  page,
  openBrowser,
  createStudent,
  signIn,
  ben,
}) => {
  const [title, deletedTitle] = [`Old exams ${uniqueCourseCode()}`, `Deleted ${uniqueCourseCode()}`]
  const [note, deleted] = [await shareNote(ben, title), await shareNote(ben, deletedTitle)]
  const reporter = await createStudent()
  for (const { _id } of [note, deleted])
    await ask(reporter, 'POST', `/api/notes/${_id}/reports`, { rule: 'exam', text: 'Still written.' })
  await signIn(await createStudent({ role: 'moderator' }))
  const colleaguesPage = await openBrowser(await createStudent({ role: 'moderator' }))
  const reason = 'It is written next week.'
  const keepDialog = async (on: Page, title: string) => {
    await on.goto('/moderation')
    await on.getByRole('button', { name: `Keep: ${title}` }).click()
    const dialog = on.getByRole('dialog', { name: `Keep: ${title}` })
    await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason)
    return dialog
  }
  const [dialog, colleagues] = [await keepDialog(page, title), await keepDialog(colleaguesPage, title)]
  const keep = (of: typeof dialog) => of.getByRole('button', { name: 'Keep', exact: true }).click()

  await page.route(/\/decisions$/, (route) => route.abort())
  await keep(dialog)
  await expect(toast(page, 'Failed to save the decision. Please try again later.')).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue(reason)
  await page.unroute(/\/decisions$/)

  // A report that arrives meanwhile is shown beside the dialog, which keeps the text.
  const another = { rule: 'exam', text: 'The solutions are in it.' }
  await ask(await createStudent(), 'POST', `/api/notes/${note._id}/reports`, another)
  await expect(async () => {
    await colleaguesPage.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
    await expect(colleaguesPage.getByText(another.text)).toBeVisible({ timeout: 500 })
  }).toPass()
  await keep(colleagues)
  await expect(toast(colleaguesPage, 'New reports have arrived. Read them before you decide.')).toBeVisible()
  await keep(colleagues)
  await expect(colleagues).toBeHidden()
  await keep(dialog)
  await expect(toast(page, 'This decision no longer applies to the note.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('article', { name: title })).toBeHidden()

  // The author deletes the note meanwhile.
  const late = await keepDialog(page, deletedTitle)
  await deleteNote(ben, deleted._id)
  await keep(late)
  await expect(toast(page, 'This note does not exist or has been deleted.')).toBeVisible()
  await expect(late).toBeHidden()
  await expect(page.getByRole('article', { name: deletedTitle })).toBeHidden()
})

test('a moderator asks the author of a note, who answers @phone', async ({ page, moderator, ben, signIn }) => {
  const title = `A script ${uniqueCourseCode()}`
  const note = await shareNote(ben, title)
  await ask(moderator, 'POST', `/api/notes/${note._id}/reports`, { rule: 'copyright' })

  await signIn(moderator)
  await page.goto('/moderation')
  const matter = page.getByRole('article', { name: title })
  await matter.getByRole('button', { name: `Ask the author: ${title}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Ask the author' })
  await dialog.getByRole('textbox').fill('Did you write it yourself?')
  await dialog.getByRole('button', { name: 'Send question' }).click()
  await expect(matter).toContainText('Waiting for the author’s answer.')
  await page.clock.setFixedTime(Date.now() + 8 * 24 * 60 * 60 * 1000)
  await page.reload()
  await expect(matter).toContainText('The author didn’t answer within 7 days.')
  await expect(matter).not.toContainText('Waiting')
  await page.clock.setFixedTime(Date.now())

  await signIn(ben)
  await page.goto('/my-notes')
  await page.getByRole('button', { name: `Answer: ${title}` }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('I did.')
  await page.getByRole('button', { name: 'Send answer' }).click()
  await page.getByText('Earlier messages (1)').click()
  await expect(page.getByText('Waiting for a decision.')).toBeVisible()
})

test('a correction changes only what the moderator changed', async ({ page, createStudent, signIn, ben }) => {
  const title = `Limits ${uniqueCourseCode()}`
  const shared = { courseCode: uniqueCourseCode(), academicYear: '2025–26' }
  const note = await shareNote(ben, title, { ...shared, instructor: 'Dr. Wu' })
  await ask(await createStudent(), 'POST', `/api/notes/${note._id}/reports`, { rule: 'other', text: 'Another course.' })
  await signIn(await createStudent({ role: 'moderator' }))
  await page.goto('/moderation')
  await page.getByRole('button', { name: `Correct: ${title}` }).click()
  const dialog = page.getByRole('dialog', { name: `Correct: ${title}` })
  const edited = { ...shared, title, instructor: 'Dr. Osei' }
  await ask(ben, 'PATCH', `/api/users/me/notes/${note._id}`, { ...edited, isAnonymous: false })
  const courseCode = uniqueCourseCode()
  await dialog.getByLabel('Course Code').fill(courseCode)
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('It is another course.')
  await clickForToast(button(dialog, 'Correct'), 'Note corrected. The author has been notified.')
  expect(await ask(ben, 'GET', `/api/notes/${note._id}`)).toMatchObject({ ...edited, courseCode })
})
