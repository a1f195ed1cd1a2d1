import { expect } from '@playwright/test'
import { findFreePort } from '../server/free-port.ts'
import { letPagesRead, makeBucket } from '../server/test/s3.ts'
import { type ServerProcess, startServerProcess } from '../server/test/server-process.ts'
import { makeBook, shareFile } from './reader-files.ts'
import { test as base } from './test.ts'

/** A Lectern whose files flow from a store at another address than its pages. */
const test = base.extend<object, { lectern: ServerProcess }>({
  lectern: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from its first argument
    async ({}, use) => {
      const [inBucket, port] = [await makeBucket(), String(await findFreePort('127.0.0.1'))]
      const PUBLIC_URL = `http://localhost:${port}`
      await letPagesRead(inBucket.S3_BUCKET ?? '', PUBLIC_URL)
      const env = { ...inBucket, FILES_DIRECT: 'on', PORT: port, PUBLIC_URL }
      const lectern = await startServerProcess(undefined, { env })
      await use({ ...lectern, url: PUBLIC_URL })
      await lectern.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

test('the reader and a new tab get a file from the store, in parts and whole', async ({
  page,
  request,
  context,
  lectern,
  createStudent,
  signIn,
}) => {
  const student = await createStudent()
  const note = await shareFile(request, student, { title: 'A book', content: await makeBook(60) })
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().startsWith(lectern.env.S3_ENDPOINT ?? '-')) statuses.push(response.status())
  })
  await signIn(student)

  await page.goto(`/notes/${note._id}?page=40`)
  await expect(page.locator('[data-page-number="40"] .textLayer')).toContainText('needle40')
  expect(new Set(statuses)).toEqual(new Set([206]))
  statuses.length = 0

  await page.goto('/my-notes')
  const opened = context.waitForEvent('page')
  await page
    .getByRole('link', { name: 'A book' })
    .or(page.getByRole('button', { name: 'A book' }))
    .first()
    .click()
  await opened
  await expect.poll(() => statuses).toEqual([200])
})
