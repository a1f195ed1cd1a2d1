import { hash } from '@node-rs/argon2'
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { changeRole, createUser, type User } from '../server/features/accounts/users/users.ts'
import { signAccessToken } from '../server/features/auth/sessions/access-token.ts'
import { insertSession } from '../server/features/auth/sessions/sessions.queries.ts'
import { sessionTtlSeconds } from '../server/features/auth/sessions/sessions.ts'
import { inTransaction } from '../server/platform/db/transaction.ts'
import { newEmail, password } from './forms.ts'
import { type Lectern, useOwnLectern, useSharedLectern } from './lectern.ts'
import { uniqueCourseCode } from './page.ts'

export type Student = {
  id: string
  name: string
  email: string
  password: string
  accessToken: string
  /** The server of the account. */
  lectern: Lectern
}

type NewStudent = { name?: string; role?: User['role'] }

type Fixtures = {
  /** A course without notes of other journeys, so that lists of it are exact. */
  courseCode: string
  /** Creates a verified user who is not logged in to any browser yet. */
  createStudent(given?: NewStudent): Promise<Student>
  /** Logs the page's browser in as the given student or a new one. */
  signIn(student?: Student | NewStudent): Promise<Student>
  /** Mia Lund, logged in. */
  mia: Student
  /** Ben Ito, another student. */
  ben: Student
  moderator: Student
  admin: Student
  /** Opens another browser, logged in as this student or not at all. */
  openBrowser(student?: Student): Promise<Page>
  consoleErrors: string[]
}

/**
 * Browsers log every response of 400 and above, which the tests check themselves. pdf.js logs damaged files, and pages
 * that were about to be drawn when their document was closed.
 */
const ignoredConsoleErrors =
  /^(Failed to load resource|Unable to initialize viewer|Unable to get page for page view|renderView: Error: pdfPage is not loaded)/

/** A cheap hash makes logins fast; journeys that choose a password use the server's hash. */
const passwordHash = await hash(password, { memoryCost: 8, timeCost: 1 })

/** Runs on the shared server: each journey uses its own students and courses, and leaves the instance unchanged. */
export const test = base.extend<Fixtures, { lectern: Lectern }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from its first argument
  lectern: [({}, use) => useSharedLectern(use), { scope: 'worker' }],
  baseURL: ({ lectern }, use) => use(lectern.url),

  // An unexpected error in the browser's console fails the test.
  consoleErrors: [
    async ({ page }, use) => {
      const errors: string[] = []
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(String(error)))
      await use(errors)
      expect(errors.filter((text) => !ignoredConsoleErrors.test(text))).toEqual([])
    },
    { auto: true },
  ],

  courseCode: ({ lectern }, use) => use(uniqueCourseCode()),

  createStudent: ({ lectern }, use) =>
    use(({ name = 'Ada Okafor', role = 'student' } = {}) =>
      inTransaction(lectern.db, async (tx) => {
        const email = newEmail()
        const id = (await createUser(tx, { name, email, passwordHash })) ?? ''
        if (role !== 'student') await changeRole(tx, id, role)
        const sessionId = await insertSession(tx, id, sessionTtlSeconds)
        const accessToken = signAccessToken(lectern.secret, { sessionId, rotation: 0 })
        return { id, name, email, password, accessToken, lectern }
      }),
    ),

  signIn: ({ context, createStudent }, use) =>
    use(async (given) => {
      const student = given && 'id' in given ? given : await createStudent(given)
      await logIn(context, student)
      return student
    }),

  mia: async ({ signIn }, use) => use(await signIn({ name: 'Mia Lund' })),
  ben: async ({ createStudent }, use) => use(await createStudent({ name: 'Ben Ito' })),
  moderator: async ({ createStudent }, use) => use(await createStudent({ role: 'moderator' })),
  admin: async ({ createStudent }, use) => use(await createStudent({ role: 'admin' })),

  openBrowser: async ({ browser, lectern }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (student) => {
      const context = await browser.newContext({ baseURL: lectern.url, reducedMotion: 'reduce' })
      contexts.push(context)
      if (student) await logIn(context, student)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },
})

/** For journeys that change the instance, count everything in it, or need other settings. */
export const onOwnServer = (makeEnv: () => Promise<Record<string, string>>) =>
  test.extend<object, { lectern: Lectern }>({
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from its first argument
    lectern: [async ({}, use) => useOwnLectern(await makeEnv(), use), { scope: 'worker', timeout: 90_000 }],
  })

/** Journeys use this server one after another. */
export const ownServerTest = onOwnServer(async () => ({}))

async function logIn({ request }: BrowserContext, { email, password, lectern }: Student): Promise<void> {
  const response = await request.post(`${lectern.url}/api/users/login`, { data: { email, password } })
  expect(response.status()).toBe(200)
}
