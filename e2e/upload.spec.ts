import { expect, type Page } from '@playwright/test'
import { academicYears } from '../packages/contract/limits.ts'
import { onePagePdf } from '../server/testing/pdf.ts'
import { expectFieldError, main, submitButton } from './forms.ts'
import { holdRequests } from './hold-requests.ts'
import { cards, expectTitles, heading, mockServerError, navLink } from './note-lists.ts'
import { uniqueCourseCode } from './notes.ts'
import { test } from './test.ts'
import { toast } from './toasts.ts'

const pdf = (name: string, buffer = onePagePdf) => ({ name, mimeType: 'application/pdf', buffer })
const overLimit = 'You can only upload up to 10 files, each up to 25MB.'
const uploadFailure = 'Failed to upload notes. Please try again.'
const uploadCall = /\/api\/notes$/

const picker = (page: Page) => page.getByLabel('PDF files')
const chosen = (page: Page) => page.getByRole('list', { name: 'Selected files' }).getByRole('listitem')
const send = (page: Page) => main(page).getByRole('button', { name: /^Upload( \d+ notes)?$/ })

test('files are chosen, refused and taken back by the rules, before the server is asked', async ({ page, mia }) => {
  await page.goto('/upload')
  await expect(heading(page, 'Upload Notes')).toBeVisible()
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && uploadCall.test(request.url()) && sent.push('sent'))

  await test.step('the current academic year is selected, and the limits are shown', async () => {
    await expect(page.getByLabel('Academic year')).toHaveValue(academicYears(new Date(), 8)[0] ?? '')
    await expect(picker(page)).toHaveAccessibleDescription('Up to 10 PDF files, each up to 25 MB.')
    await expect(picker(page)).toHaveAttribute('accept', 'application/pdf')
  })

  await test.step('course code and a file are required', async () => {
    await send(page).click()
    await expect(toast(page, 'Please fill in all required fields.')).toBeVisible()
    await expectFieldError(page.getByLabel('Course code'), 'Please fill in all required fields.')
    await page.getByLabel('Course code').fill('mat 137')
    await send(page).click()
    await expect(toast(page, 'Please select at least one file to upload.')).toBeVisible()
    await expectFieldError(picker(page), 'Please select at least one file to upload.')
    await expect(picker(page)).toBeFocused()
  })

  await test.step('only PDFs, each of them once', async () => {
    await picker(page).setInputFiles([
      pdf('Week 1.pdf'),
      { name: 'Week 1.docx', mimeType: 'application/msword', buffer: Buffer.from('no PDF') },
    ])
    await expect(chosen(page)).toHaveText([/^Week 1\.pdf/])
    await expect(main(page).getByText(/Week 1\.docx/)).toBeVisible()
    await picker(page).setInputFiles([pdf('Week 1.pdf'), pdf('Week 2.pdf')])
    await expect(chosen(page)).toHaveText([/^Week 1\.pdf/, /^Week 2\.pdf/])
    await expect(picker(page)).not.toHaveAttribute('aria-invalid')
  })

  await test.step('a file is taken off the list, and can be chosen again', async () => {
    await page.getByRole('button', { name: 'Remove Week 1.pdf' }).click()
    await expect(chosen(page)).toHaveText([/^Week 2\.pdf/])
    await picker(page).setInputFiles([pdf('Week 1.pdf')])
    await expect(chosen(page)).toHaveText([/^Week 2\.pdf/, /^Week 1\.pdf/])
  })

  await test.step('dropped files are chosen, too', async () => {
    const files = await page.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([new Uint8Array(bytes)], 'Dropped.pdf', { type: 'application/pdf' }))
        return transfer
      },
      [...onePagePdf],
    )
    await page.getByText('Drop PDF files here').dispatchEvent('drop', { dataTransfer: files })
    await expect(chosen(page)).toHaveText([/^Week 2/, /^Week 1/, /^Dropped\.pdf/])
  })

  await test.step('not too many', async () => {
    await picker(page).setInputFiles(Array.from({ length: 9 }, (_, at) => pdf(`More ${at}.pdf`)))
    await expect(chosen(page)).toHaveCount(10)
    await expect(toast(page, overLimit)).toBeVisible()
    await expectFieldError(picker(page), overLimit)
  })
  expect(sent).toEqual([])
})

test('an upload shows its progress, can be cancelled, fails and succeeds at last @smoke', async ({ page, mia }) => {
  const course = uniqueCourseCode()
  await page.goto('/my-notes')
  await navLink(page, 'Upload').click()
  await expect(heading(page, 'Upload Notes')).toBeVisible()
  await page.getByLabel('Course code').fill(` ${course.toLowerCase()} `)
  await page.getByLabel('Instructor').fill('   ')
  await page.getByLabel('Display Anonymously').check()
  await picker(page).setInputFiles([pdf('Heaps.pdf'), pdf('Graphs.pdf')])

  await test.step('the server refuses without a reason', async () => {
    await mockServerError(page, uploadCall, 'POST')
    await send(page).click()
    await expect(toast(page, uploadFailure)).toBeVisible()
    await expect(main(page).getByRole('alert').filter({ hasText: uploadFailure })).toBeVisible()
    await expect(chosen(page)).toHaveCount(2)
    await page.unroute(uploadCall)
  })

  await test.step('cancelled on the way', async () => {
    const held = await holdRequests(page, uploadCall, 'POST')
    await submitButton(page, 'Try again').click()
    await expect(page.getByRole('progressbar', { name: 'Upload', exact: true })).toBeVisible()
    await expect(page.getByRole('progressbar', { name: 'Upload of Heaps.pdf' })).toBeVisible()
    await expect(page.getByLabel('Course code')).toBeDisabled()
    // The navigation bar is inactive meanwhile, and the browser's back button is refused.
    await page.evaluate(() => history.back())
    await expect(toast(page, 'Your upload is still in progress. Cancel it before leaving this page.')).toBeVisible()
    await expect(page).toHaveURL('/upload')
    await page.getByRole('button', { name: 'Cancel upload' }).click()
    await expect(main(page).getByText('Upload cancelled. Your files are still here.')).toBeVisible()
    await expect(chosen(page)).toHaveCount(2)
    held.release()
  })

  await test.step('and where it leads', async () => {
    await submitButton(page, 'Try again').click()
    await expect(toast(page, 'Notes uploaded successfully!')).toBeVisible()
    await expect(page).toHaveURL('/my-notes')
    await expect(cards(page)).toHaveCount(2)
    await expect(cards(page).filter({ hasText: 'Heaps' })).toContainText(course)
    await page.goto(`/my-notes?title=graphs`)
    await expectTitles(page, ['Graphs'])
  })

  await test.step('the form is empty again, except for the course', async () => {
    await navLink(page, 'Upload').click()
    await expect(heading(page, 'Upload Notes')).toBeVisible()
    await expect(page.getByLabel('Display Anonymously')).not.toBeChecked()
    await expect(chosen(page)).toHaveCount(0)
  })
})
