import { randomBytes } from 'node:crypto'
import { type APIRequestContext, type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { onePagePdf } from '../server/test/pdf.ts'
import { type ServerProcess, startServerProcess } from '../server/test/server-process.ts'

export type Student = { name: string; email: string; password: string; accessToken: string }

type Fixtures = {
  /** A verified student made through the API. Nobody is signed in yet. */
  createStudent(given?: { name?: string }): Promise<Student>
  /** Signs the page's browser in, as if the student had logged in earlier. */
  signIn(student: Student): Promise<void>
  /** Another browser, in which somebody is signed in, or nobody. */
  openBrowser(student?: Student): Promise<Page>
  uploadNote(student: Student, note?: { title?: string; courseCode?: string; isAnonymous?: boolean }): Promise<string>
  consoleErrors: string[]
}

/**
 * Browsers print a line for every answer of 400 and above; those the tests look at themselves. And pdf.js tells of pages
 * that it was about to draw when their document ended.
 */
const isNoFault = /^(Failed to load resource|Unable to get page for page view|renderView: Error: pdfPage is not loaded)/

/** Every worker has its own Lectern, so tests share nothing but users they make themselves. */
export const test = base.extend<Fixtures, { lectern: ServerProcess }>({
  lectern: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from its first argument
    async ({}, use) => {
      const lectern = await startServerProcess()
      await use(lectern)
      await lectern.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: ({ lectern }, use) => use(lectern.url),

  // An error in the browser's console that no test expects fails the test.
  consoleErrors: [
    async ({ page }, use) => {
      const errors: string[] = []
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(String(error)))
      await use(errors)
      expect(errors.filter((text) => !isNoFault.test(text))).toEqual([])
    },
    { auto: true },
  ],

  createStudent: async ({ lectern, playwright }, use) => {
    const request = await playwright.request.newContext({ baseURL: lectern.url })
    await use(async (given = {}) => {
      const name = given.name ?? 'Ada Okafor'
      const email = `student.${randomBytes(5).toString('hex')}@uni.example`
      const password = 'Marigold desk 42!'
      await post(request, '/api/users/', { name, email, password, confirmPassword: password })
      const token = new URL(await lectern.readMailedLink(email)).searchParams.get('token')
      await post(request, '/api/users/verify', { token })
      const { accessToken } = await post(request, '/api/users/login', { email, password })
      return { name, email, password, accessToken }
    })
    await request.dispose()
  },

  signIn: async ({ context }, use) => {
    await use(async (student) => void (await logInBy(context.request, student)))
  },

  openBrowser: async ({ browser, lectern }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (student) => {
      const context = await browser.newContext({ baseURL: lectern.url, reducedMotion: 'reduce' })
      contexts.push(context)
      if (student) await logInBy(context.request, student)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },

  uploadNote: async ({ lectern, playwright }, use) => {
    const request = await playwright.request.newContext({ baseURL: lectern.url })
    await use(
      async ({ accessToken }, { title = 'Linear Algebra week 1', courseCode = 'MAT137', isAnonymous = false } = {}) => {
        const response = await request.post('/api/notes', {
          headers: { authorization: `Bearer ${accessToken}` },
          multipart: {
            courseCode,
            academicYear: '2025–26',
            isAnonymous: String(isAnonymous),
            note: { name: `${title}.pdf`, mimeType: 'application/pdf', buffer: onePagePdf },
          },
        })
        expect(response.status()).toBe(201)
        return (await response.json()).notes[0]._id
      },
    )
    await request.dispose()
  },
})

const logInBy = (request: APIRequestContext, { email, password }: Student) =>
  post(request, '/api/users/login', { email, password })

async function post(request: APIRequestContext, path: string, data: object) {
  const response = await request.post(path, { data })
  expect(response.ok(), `${path} answered ${response.status()}`).toBe(true)
  return response.json()
}
