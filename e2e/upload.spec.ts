import { expect, type Locator, type Page } from '@playwright/test'
import { academicYears } from '../packages/contract/limits.ts'
import { makeEncryptedFile } from '../packages/pdfium/test/hostile-files.ts'
import { onePagePdf } from '../server/testing/pdf.ts'
import { lockedPdf } from '../server/testing/pdf-kinds.ts'
import { findViolations } from './accessible.ts'
import { answerQuestion, clickForToast, clickTo, follow, open, pressBack } from './actions.ts'
import { confirmWithPassword, expectFieldError, logIn, submitButton } from './forms.ts'
import { card, cards } from './note-lists.ts'
import { ask, shareNote } from './notes.ts'
import { button, heading, main, navLink, toast, uniqueCourseCode } from './page.ts'
import { pdfOfPages, pdfWithHiddenText } from './pdfs.ts'
import { holdRequests, listCalls, mockServerError } from './requests.ts'
import { test } from './test.ts'

const pdf = (name: string, buffer = onePagePdf) => ({ name, mimeType: 'application/pdf', buffer })
const overLimit = 'You can only upload up to 10 files, each up to 25MB.'
const fake = pdf('Fake.pdf', Buffer.from('This is a text and no PDF at all.'))
const fakeRefused = 'Only PDF files can be uploaded. “Fake” isn’t a readable PDF.'
const success = 'Notes uploaded successfully!'
const uploadFailure = 'Failed to upload notes. Please try again.'
const uploadCall = /\/api\/notes$/
/** A file that differs from those with another name. */
const pdfAbout = (topic: string) => pdf(`${topic}.pdf`, pdfOfPages([topic]))

const picker = (page: Page) => page.getByLabel('PDF files')
const rows = (page: Page) => page.getByRole('list', { name: 'Selected files' }).getByRole('listitem')
const send = (page: Page) => main(page).getByRole('button', { name: /^Upload( \d+ notes)?$/ })

const row = (page: Page, fileName: string) => rows(page).filter({ hasText: fileName })
const titleOf = (of: Locator) => of.getByRole('textbox', { name: /^Title of / })
const summary = (page: Page) =>
  main(page)
    .getByRole('alert')
    .filter({ hasText: /uploaded/ })

/** Counts the files that the browser keeps. */
const countKept = (page: Page) =>
  page.evaluate(async () => {
    const request = indexedDB.open('lectern-uploads')
    await new Promise((resolve) => request.addEventListener('success', resolve))
    const keys = request.result.transaction('kept').objectStore('kept').getAllKeys()
    await new Promise((resolve) => keys.addEventListener('success', resolve))
    request.result.close()
    return keys.result.filter((key) => String(key).startsWith('file ')).length
  })

async function openTray(page: Page, course?: string) {
  await open(page, '/upload', 'Upload Notes')
  if (course) await page.getByLabel('Course Code', { exact: true }).fill(course)
}

test('files are chosen and refused by the rules, without a request', async ({ page, mia }) => {
  const bytes = [...onePagePdf]
  await open(page, '/upload', 'Upload Notes')
  const sent = listCalls(page, uploadCall)

  // The current academic year is selected, and the limits are shown.
  await expect(page.getByLabel('Academic year')).toHaveValue(academicYears(new Date(), 8)[0] ?? '')
  await expect(picker(page)).toHaveAccessibleDescription('Up to 10 PDF files, each up to 25 MB.')
  await expect(picker(page)).toHaveAttribute('accept', 'application/pdf')

  await clickForToast(send(page), 'Please fill in all required fields.')
  await expectFieldError(page.getByLabel('Course code'), 'Please fill in all required fields.')
  await page.getByLabel('Course code').fill('mat 137')
  await clickForToast(send(page), 'Please select at least one file to upload.')
  await expectFieldError(picker(page), 'Please select at least one file to upload.')
  await expect(picker(page)).toBeFocused()

  // Only PDFs, each of them once.
  await picker(page).setInputFiles([
    pdf('Week 1.pdf'),
    { name: 'Week 1.docx', mimeType: 'application/msword', buffer: Buffer.from('no PDF') },
  ])
  await expect(rows(page)).toHaveText([/^Week 1\.pdf/])
  await expect(main(page).getByText(/Week 1\.docx/)).toBeVisible()
  await picker(page).setInputFiles([pdf('Week 1.pdf'), pdf('Week 2.pdf')])
  await expect(rows(page)).toHaveText([/^Week 1\.pdf/, /^Week 2\.pdf/])
  await expect(picker(page)).not.toHaveAttribute('aria-invalid')

  // A file is taken off the list, and can be chosen again.
  await page.getByRole('button', { name: 'Remove Week 1.pdf' }).click()
  await expect(rows(page)).toHaveText([/^Week 2\.pdf/])
  await picker(page).setInputFiles([pdf('Week 1.pdf')])
  await expect(rows(page)).toHaveText([/^Week 2\.pdf/, /^Week 1\.pdf/])

  // Dropped files are chosen, too.
  const files = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([new Uint8Array(content)], 'Dropped.pdf', { type: 'application/pdf' }))
    return transfer
  }, bytes)
  await page.getByText('Drop PDF files here').dispatchEvent('drop', { dataTransfer: files })
  await expect(rows(page)).toHaveText([/^Week 2/, /^Week 1/, /^Dropped\.pdf/])

  // So are pasted ones, except beside other content.
  for (const name of ['Week 2.pdf', 'Week 1.pdf', 'Dropped.pdf']) await button(page, `Remove ${name}`).click()
  await page.evaluate((content) => {
    const clipboardData = new DataTransfer()
    clipboardData.items.add(new File([new Uint8Array(content)], 'Pasted.pdf', { type: 'application/pdf' }))
    const paste = () =>
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    paste()
    // Excel adds a picture to copied cells, whose text goes to the focused field.
    clipboardData.items.add('<table><tr><td>Heaps</td></tr></table>', 'text/html')
    if (!paste()) throw new Error('Cells were taken for a file')
  }, bytes)
  await expect(rows(page)).toHaveText([/^Pasted\.pdf/])

  // A folder with a folder in it.
  // A test cannot create a folder for a drop, so its entries are simulated.
  await page.getByText('Drop PDF files here').evaluate((zone, content) => {
    const file = (name: string) => ({
      isFile: true,
      name,
      file: (done: (file: File) => void) =>
        done(new File([new Uint8Array(content), name], name, { type: name.endsWith('.pdf') ? 'application/pdf' : '' })),
    })
    const folder = (name: string, children: object[]) => ({
      isDirectory: true,
      name,
      createReader: () => ({ readEntries: (done: (some: object[]) => void) => done(children.splice(0, 2)) }),
    })
    const weeks = Array.from({ length: 12 }, (_, at) => file(`Week ${at + 1}.pdf`))
    const term = folder('Term', [...weeks, file('.DS_Store'), folder('Exams', [file('Final.pdf')])])
    const drop = new DragEvent('drop', { bubbles: true, cancelable: true })
    Object.defineProperty(drop, 'dataTransfer', { value: { items: [{ webkitGetAsEntry: () => term }], files: [] } })
    zone.dispatchEvent(drop)
  }, bytes)
  await expect(rows(page)).toHaveCount(10)
  await expect(rows(page).nth(1)).toHaveText(/^Final\.pdf/)
  await expect(toast(page, overLimit)).toBeVisible()
  await expectFieldError(picker(page), overLimit)
  await expect(picker(page)).toHaveAccessibleDescription(
    /Not added: Week 9\.pdf, Week 10\.pdf, Week 11\.pdf and Week 12\.pdf\./,
  )
  expect(sent).toEqual([])
})

test('an upload shows its progress, is cancelled and succeeds @smoke', async ({ page, mia, courseCode: course }) => {
  await page.goto('/my-notes')
  await follow(page, 'Upload', 'Upload Notes')
  await page.getByLabel('Course code').fill(` ${course.toLowerCase()} `)
  await page.getByLabel('Instructor').fill('   ')
  await page.getByLabel('Display Anonymously').check()
  await picker(page).setInputFiles([pdf('Heaps.pdf'), pdf('Graphs.pdf')])

  // The server refuses without a reason.
  await mockServerError(page, uploadCall, 'POST')
  await clickForToast(send(page), uploadFailure)
  await expect(main(page).getByRole('alert').filter({ hasText: uploadFailure })).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await page.unroute(uploadCall)

  const held = await holdRequests(page, uploadCall, 'POST')
  await submitButton(page, 'Try again').click()
  await expect(page.getByRole('progressbar', { name: 'Upload', exact: true })).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Upload of Heaps.pdf' })).toBeVisible()
  await expect(page.getByLabel('Course code')).toBeDisabled()
  // The navigation bar is inactive meanwhile, and the browser's back button is refused.
  await pressBack(page)
  await expect(toast(page, 'Your upload is still in progress. Cancel it before leaving this page.')).toBeVisible()
  await expect(page).toHaveURL('/upload')
  const closing = await answerQuestion(page, 'dismiss', () => page.close({ runBeforeUnload: true }))
  expect(closing.type()).toBe('beforeunload')
  await page.getByRole('button', { name: 'Cancel upload' }).click()
  await expect(main(page).getByText('Upload cancelled. Your files are still here.')).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  held.release()

  await clickForToast(submitButton(page, 'Try again'), success)
  await expect(page).toHaveURL('/my-notes')
  await expect(cards(page)).toHaveCount(2)
  await expect(cards(page).filter({ hasText: 'Heaps' })).toContainText(course)
  await navLink(page, 'Upload').click()
  await expect(page.getByLabel('Display Anonymously')).not.toBeChecked()
})

test('a file added right after an upload stays, and a student who left is not called back', async ({
  page,
  mia,
  courseCode: course,
}) => {
  const choose = (topic: string) => picker(page).setInputFiles([pdfAbout(topic)])
  const shareWhileHeld = async (topic: string, act: () => Promise<unknown>) => {
    await choose(topic)
    const held = await holdRequests(page, /\/api\/courses\//)
    const followers = page.waitForResponse(/\/api\/courses\//)
    await clickForToast(send(page), success)
    await act()
    held.release()
    await followers
  }
  await openTray(page, course)
  await shareWhileHeld('Heaps', () => choose('Graphs'))
  await send(page).click()
  await expect(page).toHaveURL('/my-notes')
  await expect(cards(page)).toHaveCount(2)

  await openTray(page, course)
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
  await shareWhileHeld('Trees', () => follow(page, 'Browse', 'Browse Notes'))
  await expect.poll(() => countKept(page)).toBe(0)
  await follow(page, 'Upload', 'Upload Notes')
  await expect(rows(page)).toHaveCount(0)
  expect(visited).not.toContain('/my-notes')

  // Nor does a logout discard files without a question.
  await choose('Roots')
  const logOut = () => page.getByRole('button', { name: 'Logout' }).click()
  expect((await answerQuestion(page, 'dismiss', logOut)).message()).toContain('Log out?')
  await expect(rows(page)).toHaveCount(1)

  // Even if they were chosen in an earlier visit.
  await open(page, '/browse', 'Browse Notes')
  const question = await answerQuestion(page, 'accept', logOut)
  expect(question.message()).toContain('Log out? 1 file waiting to be uploaded')
  await expect(page).toHaveURL('/login')
  await expect.poll(() => countKept(page)).toBe(0)
})

test('good files are shared beside a bad one, with own details @phone @smoke', async ({ page, mia }, { project }) => {
  const [course, otherCourse] = [uniqueCourseCode(), uniqueCourseCode()]
  const heaps = row(page, 'Heaps.pdf')
  await openTray(page, course)
  await expect(page.getByText('Choose PDF files')).toBeVisible({ visible: project.name === 'phone' })
  await expect(page.getByText('Drop PDF files here')).toBeVisible({ visible: project.name !== 'phone' })

  // Each file has its row, with its first page and a title that can be read.
  await picker(page).setInputFiles([
    pdf('week_3-graph_search.pdf', pdfOfPages(['Breadth first', 'Depth first'], { title: 'Searching graphs' })),
    pdfAbout('Heaps'),
    fake,
  ])
  const first = row(page, 'week_3')
  await expect(titleOf(first)).toHaveValue('week 3 graph search')
  await expect(first).toContainText('2 pages')
  await expect(first.locator('img')).toBeVisible()
  await first.getByRole('button', { name: 'Use the PDF’s title: Searching graphs' }).click()
  await expect(titleOf(first)).toHaveValue('Searching graphs')
  await expect(row(page, 'Fake.pdf').locator('img')).toHaveCount(0)

  // A title is required; details may differ for one.
  await titleOf(heaps).fill(' ')
  await submitButton(page, 'Upload 3 notes').click()
  await expectFieldError(titleOf(heaps), 'Please fill in all required fields.')
  await expect(titleOf(heaps)).toBeFocused()
  await titleOf(heaps).fill('Binary heaps')
  await heaps.getByRole('button', { name: 'Use different details for Heaps.pdf' }).click()
  await expect(heaps.locator(':focus')).toHaveCount(1)
  await heaps.getByLabel('Course code for this file').fill(otherCourse)
  await heaps.getByLabel('Display this file anonymously').check()
  await expect(heaps).toContainText('Your name wasn’t found in the text.')

  // What can be said before it is sent is said in its row, and Enter in a field sends nothing.
  await expect(row(page, 'Fake.pdf')).toContainText('This file is damaged or isn’t a PDF.')
  await heaps.getByLabel('Instructor for this file').press('Enter')
  await expect(submitButton(page, 'Upload 3 notes')).toBeVisible()

  // The rejected one shows why without being sent, and the others are uploaded.
  const sent = listCalls(page, uploadCall)
  await submitButton(page, 'Upload 3 notes').click()
  await expect(row(page, 'Fake.pdf')).toContainText(fakeRefused)
  await expect(toast(page, fakeRefused)).toBeVisible()
  await expect(summary(page)).toHaveText(`2 of 3 notes uploaded. ${fakeRefused}`)
  await expect(summary(page)).toBeFocused()
  await expect(heaps).toContainText('Uploaded')
  await expect(page).toHaveURL('/upload')
  expect(sent).toEqual(['POST /api/notes', 'POST /api/notes'])
  await picker(page).setInputFiles([pdfAbout('Heaps')])
  await expect(rows(page)).toHaveCount(3)
  expect(await findViolations(page)).toEqual([])

  // Nothing is tried again in vain, what is shared is a link, and the way on is offered.
  await expect(main(page).getByRole('button', { name: /^Try again/ })).toHaveCount(0)
  await expect(heaps.getByRole('link', { name: 'Uploaded Binary heaps' })).toHaveAttribute('href', /^\/notes\//)
  await heaps.getByRole('button', { name: 'Remove Heaps.pdf from the list' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(main(page).locator(':focus')).toHaveCount(1)
  await row(page, 'Fake.pdf').getByRole('button', { name: 'Remove Fake.pdf' }).click()
  await main(page).getByRole('link', { name: 'Go to My Notes' }).click()
  await expect(cards(page)).toHaveCount(2)
  await expect(card(page, 'Searching graphs')).toContainText(course)
  await expect(card(page, 'Binary heaps')).toContainText(otherCourse)
})

test('an upload continues automatically when the server asks to wait; one is cancelled', async ({ page, mia }) => {
  await openTray(page, uniqueCourseCode())
  await picker(page).setInputFiles(['Heaps', 'Graphs', 'Trees'].map(pdfAbout))

  // Two in parallel, and the third waits.
  const held = await holdRequests(page, uploadCall, 'POST')
  await submitButton(page, 'Upload 3 notes').click()
  await expect.poll(() => held.requests.length).toBe(2)
  await expect(row(page, 'Trees.pdf')).toContainText('Waiting…')
  await row(page, 'Graphs.pdf').getByRole('button', { name: 'Cancel Graphs.pdf' }).click()
  await expect(row(page, 'Graphs.pdf')).toContainText('Cancelled')
  held.release()
  await expect(summary(page)).toHaveText('2 of 3 notes uploaded. 1 cancelled.')

  // Asked to wait, it continues automatically.
  const message = 'You already have 2 uploads in progress. Wait for one to finish.'
  let asked = 0
  await page.route(uploadCall, (route) =>
    asked++ === 0
      ? route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { message, code: 'too_many_uploads' } })
      : route.fallback(),
  )
  await clickForToast(submitButton(page, 'Try again'), success)
  await expect(cards(page)).toHaveCount(3)
  expect(asked).toBe(2)
})

test('a file shared before is pointed out, and two that are the same', async ({ page, mia, courseCode: course }) => {
  const content = pdfOfPages(['Heaps and how to keep them'])
  await openTray(page, course)
  await picker(page).setInputFiles([pdf('Heaps.pdf', content), pdf('Heaps again.pdf', content)])
  await expect(row(page, 'Heaps again.pdf')).toContainText('Duplicate of “Heaps.pdf”.')
  await page.getByRole('button', { name: 'Remove Heaps again.pdf' }).click()
  await clickForToast(submitButton(page, 'Upload'), success)

  await openTray(page, course)
  await picker(page).setInputFiles([pdf('Old friend.pdf', content), pdf('New.pdf', pdfOfPages(['Something new']))])
  const old = row(page, 'Old friend.pdf')
  await expect(old).toContainText(/You already uploaded this on \d{1,2} \w{3} \d{4}, \d\d:\d\d as “Heaps”\./)
  await submitButton(page, 'Upload 2 notes').click()
  await expect(summary(page)).toHaveText('1 of 2 notes uploaded. 1 needs your attention.')
  await clickForToast(old.getByRole('button', { name: 'Upload anyway (Old friend.pdf)' }), success)
  await expect(cards(page)).toHaveCount(3)
})

test('pages that name the student of an anonymous note are shown first @phone @smoke', async ({ page, signIn }) => {
  await signIn({ name: 'Zoë Lund' })
  await openTray(page, uniqueCourseCode())
  await page.getByLabel('Display Anonymously').check()
  await picker(page).setInputFiles([
    pdf('Named.pdf', pdfOfPages(['Notes by Zoë Qanarywoman', 'Limits', 'Z. Qanarywoman, week 3'])),
  ])
  const named = row(page, 'Named.pdf')
  const requests = listCalls(page, uploadCall)

  // A new name is searched for, too.
  await expect(named).toContainText('Your name wasn’t found in the text.')
  await clickTo(page.getByRole('banner').getByRole('link', { name: 'Zoë Lund' }), 'Zoë Lund')
  await clickTo(main(page).getByRole('link', { name: 'Settings' }), 'Settings')
  await page.getByRole('textbox', { name: 'Name' }).fill('Zoë Qanarywoman')
  await clickForToast(button(page, 'Change name'), 'Name changed.')
  await follow(page, 'Upload', 'Upload Notes')
  await expect(named).toContainText('Your name appears on pages 1 and 3.')
  await named.getByRole('button', { name: /^Show me/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Your name in this file' })
  await expect(dialog.getByRole('img', { name: 'Page 1 with your name highlighted' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Next page with your name' }).click()
  await expect(dialog.getByRole('img', { name: 'Page 3 with your name highlighted' })).toBeVisible()
  await expect(dialog.getByRole('status')).toHaveText('Page 3 (2 of 2)Z. Qanarywoman, week 3')
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(named.getByRole('button', { name: /^Show me/ })).toBeFocused()

  // It waits for a decision, and is then shared by name.
  await submitButton(page, 'Upload').click()
  await expect(summary(page)).toHaveText('0 of 1 note uploaded. 1 needs your attention.')
  expect(requests).toEqual([])
  await clickForToast(named.getByRole('button', { name: 'Upload with my name (Named.pdf)' }), success)
  await expect(card(page, 'Named')).toContainText('You')
  await expect(card(page, 'Named')).not.toContainText(/anonymous/i)
})

test('a name in invisible text is found, and removed if the student wants', async ({ page, signIn }) => {
  await signIn({ name: 'Zoë Qanarywoman' })
  await openTray(page, uniqueCourseCode())
  await page.getByLabel('Display Anonymously').check()
  await picker(page).setInputFiles([pdf('Hidden.pdf', pdfWithHiddenText('Zoë Qanarywoman, week 3'))])
  const hidden = row(page, 'Hidden.pdf')
  await expect(hidden).toContainText(
    'Your name appears on pages 1, 2, 3, 4 and 5. Invisible text on pages 2, 3, 4 and 5 contains it, so it can be found and copied.',
  )
  await hidden.getByRole('button', { name: 'Remove invisible name (Hidden.pdf)' }).click()
  await expect(hidden).toContainText(
    'Your name appears on page 1. Your name will be removed from the invisible text of pages 2, 3, 4 and 5.',
  )
  await hidden.getByRole('button', { name: 'Upload anyway (Hidden.pdf)' }).click()
  const shared = page.waitForResponse((response) => uploadCall.test(response.url()))
  await submitButton(page, 'Upload').click()
  const [note] = (await (await shared).json()).notes
  expect(note.document.drawnPages).toEqual([2, 3, 4, 5])
})

test('a locked file is refused in its row, a damaged one is sent after a question', async ({ page, mia }) => {
  await openTray(page, uniqueCourseCode())
  const requests = listCalls(page, uploadCall)
  await picker(page).setInputFiles([
    pdf('Exam.pdf', lockedPdf()),
    pdf('Read only.pdf', Buffer.from(await makeEncryptedFile(''))),
  ])
  const locked = row(page, 'Exam.pdf')
  const reason = 'This file is password-protected.'
  await expect(locked).toContainText(reason)
  await expect(row(page, 'Read only.pdf')).toContainText('1 page')
  await expect(row(page, 'Read only.pdf')).not.toContainText(reason)
  await submitButton(page, 'Upload 2 notes').click()
  await expect(summary(page)).toHaveText('1 of 2 notes uploaded. 1 needs your attention.')
  expect(requests).toEqual(['POST /api/notes'])
  expect(await findViolations(page)).toEqual([])
  await locked.getByRole('button', { name: 'Remove this file (Exam.pdf)' }).click()
  await main(page).getByRole('link', { name: 'Go to My Notes' }).click()
  await expect(cards(page)).toHaveCount(1)

  // Pages that a damaged file cannot show are listed before it is sent.
  await openTray(page, uniqueCourseCode())
  const whole = pdfOfPages(['One', 'Two', 'Three'])
  // Find the compressed content of the second page.
  const [, second] = whole.toString('latin1').matchAll(/FlateDecode[\s\S]*?stream\r?\n/g)
  const damaged = Buffer.from(whole)
  if (!second) throw new Error('The file has no compressed pages')
  const start = second.index + second[0].length
  damaged.fill(0, start + 2, damaged.indexOf('endstream', start) - 1)
  await picker(page).setInputFiles([pdf('Damaged.pdf', damaged)])
  const damagedRow = row(page, 'Damaged.pdf')
  await expect(damagedRow).toContainText('This file is damaged: page 2 can’t be shown.')
  await submitButton(page, 'Upload').click()
  await expect(summary(page)).toHaveText('0 of 1 note uploaded. 1 needs your attention.')
  await clickForToast(damagedRow.getByRole('button', { name: 'Upload anyway (Damaged.pdf)' }), success)
  await expect(cards(page)).toHaveCount(2)

  // An upload whose answer is lost is reported by its result.
  await openTray(page, uniqueCourseCode())
  await picker(page).setInputFiles([pdfAbout('Heaps')])
  await expect(row(page, 'Heaps.pdf').locator('img')).toBeVisible()
  await page.route(uploadCall, async (route) => {
    await route.fetch()
    await route.abort()
  })
  await clickForToast(submitButton(page, 'Upload'), success)
  await expect(cards(page)).toHaveCount(3)
})

test('what was chosen and typed stays until it is sent @phone', async ({ page, context, createStudent, mia, ben }) => {
  const course = uniqueCourseCode()
  await shareNote(ben, 'Trees', { courseCode: course })
  await ask(ben, 'POST', `/api/courses/${course}/follow`)
  const notice = (of = page) => main(of).getByText('1 file from before')
  const openAgain = (of = page) => open(of, '/upload', 'Upload Notes')
  const choose = async () => {
    await openTray(page, course)
    await picker(page).setInputFiles(pdfAbout('Heaps'))
    await titleOf(row(page, 'Heaps.pdf')).fill('All about heaps')
    await expect(row(page, 'Heaps.pdf').locator('img')).toBeVisible()
  }

  // On another page and after a reload.
  await choose()
  await follow(page, 'Browse', 'Browse Notes')
  await navLink(page, 'Upload').click()
  await expect(notice()).toBeVisible()
  await openAgain()
  await expect(notice()).toBeVisible()
  await expect(titleOf(row(page, 'Heaps.pdf'))).toHaveValue('All about heaps')
  await expect(row(page, 'Heaps.pdf').locator('img')).toBeVisible()
  await expect(page.getByLabel('Course Code', { exact: true })).toHaveValue(course)

  // In its tab, which another tab does not disturb.
  const other = await context.newPage()
  await openAgain(other)
  await expect(rows(other)).toHaveCount(0)
  await other.close()

  // Until it is sent; the course is filled in again.
  await clickForToast(submitButton(page, 'Upload'), success)
  await expect(cards(page)).toHaveCount(1)
  await expect(page.getByText(`Uploaded. 1 person follows ${course}.`)).toBeVisible()
  await page.getByRole('link', { name: 'Open the note' }).click()
  await expect(page).toHaveTitle('All about heaps · Lectern')
  await expect.poll(() => countKept(page)).toBe(0)
  // The notice goes with its note.
  await page.goBack()
  await expect(page.getByText(/^Uploaded\./)).toBeVisible()
  await button(cards(page), /^Delete/).click()
  await button(page.getByRole('dialog'), 'Delete').click()
  await expect(cards(page)).toHaveCount(0)
  await expect(page.getByText(/^Uploaded\./)).toHaveCount(0)
  await openAgain()
  await expect(rows(page)).toHaveCount(0)
  await expect(page.getByLabel('Course Code', { exact: true })).toHaveValue(course)

  // Until it is discarded.
  await choose()
  await openAgain()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(rows(page)).toHaveCount(1)
  page.on('dialog', (question) => question.accept())
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(heading(page, 'Upload Notes')).toBeFocused()
  await expect(rows(page)).toHaveCount(0)
  await expect.poll(() => countKept(page)).toBe(0)
  await openAgain()
  await expect(rows(page)).toHaveCount(0)

  // Although its session has ended.
  await choose()
  await mia.lectern.db.deleteFrom('sessions').where('user_id', '=', mia.id).execute()
  await submitButton(page, 'Upload').click()
  await logIn(page, mia)
  await expect(notice()).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => countKept(page)).toBe(0)

  // For a week.
  const dayMs = 24 * 60 * 60 * 1000
  await choose()
  await page.clock.setFixedTime(Date.now() + 6 * dayMs)
  await openAgain()
  await expect(rows(page)).toHaveCount(1)
  await page.clock.setFixedTime(Date.now() + 8 * dayMs)
  await openAgain()
  await expect(rows(page)).toHaveCount(0)
  await page.clock.setFixedTime(Date.now())
  await openAgain()
  await expect(rows(page)).toHaveCount(0)

  const switchTo = async (student: typeof mia) => {
    await page.getByRole('button', { name: 'Logout' }).click()
    await logIn(page, student)
    // The links in the bar do not react while that page is loading.
    await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible()
    await follow(page, 'Upload', 'Upload Notes')
    await expect(rows(page)).toHaveCount(0)
    await expect(page.getByLabel('Course Code', { exact: true })).toHaveValue('')
  }
  // Until its student logs out.
  await choose()
  await switchTo(await createStudent())
  await switchTo(mia)

  // Until its student deletes their account.
  await choose()
  await follow(page, 'Browse', 'Browse Notes')
  await page.goto('/settings')
  await submitButton(page, 'Delete account').click()
  expect(await countKept(page)).toBe(1)
  await confirmWithPassword(page.getByRole('dialog', { name: 'Delete your account?' }), 'Schedule deletion')
  await expect.poll(() => countKept(page)).toBe(0)
})
