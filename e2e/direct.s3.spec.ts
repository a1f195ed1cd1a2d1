import { expect } from '@playwright/test'
import { findFreePort } from '../server/platform/embedded-postgres/free-port.ts'
import { letPagesRead, makeBucket } from '../server/testing/s3.ts'
import { uploadFile } from './notes.ts'
import { uniqueCourseCode } from './page.ts'
import { makeOutlinedPdf } from './pdfs.ts'
import { onOwnServer } from './test.ts'

/** The server's files come from a storage with another origin than its pages. */
const test = onOwnServer(async () => {
  const [inBucket, port] = [await makeBucket(), String(await findFreePort('127.0.0.1'))]
  const PUBLIC_URL = `http://localhost:${port}`
  await letPagesRead(inBucket.S3_BUCKET ?? '', PUBLIC_URL)
  return { ...inBucket, S3_PRESIGNED_DOWNLOADS: 'on', PORT: port, PUBLIC_URL }
})

test('the reader and a new tab load a file from the object storage', async ({ page, context, mia }) => {
  const note = await uploadFile(mia, 'A book', await makeOutlinedPdf(60), uniqueCourseCode())
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().startsWith(process.env.TEST_S3_ENDPOINT ?? '-')) statuses.push(response.status())
  })

  await page.goto(`/notes/${note._id}?page=40`)
  await expect(page.locator('[data-page-number="40"] .textLayer')).toContainText('needle40')
  expect(new Set(statuses)).toEqual(new Set([206]))
  statuses.length = 0

  await page.goto('/my-notes')
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'A book' }).first().click()
  await opened
  await expect.poll(() => statuses).toEqual([200])
})
