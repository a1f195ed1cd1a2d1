import type { Page } from '@playwright/test'
import { onePagePdf } from '../../server/test/pdf.ts'

export type Screen = {
  name: string
  path: string
  /** What has to go wrong, or to be slow, from the start. */
  begin?: (page: Page) => Promise<unknown>
  /** What to do before the picture is taken. */
  prepare?: (page: Page) => Promise<unknown>
}

const fail = (glob: string) => (page: Page) =>
  page.route(glob, (route) =>
    route.fulfill({ status: 500, json: { message: 'An error occurred', code: 'unexpected' } }),
  )
const hold = (glob: string) => (page: Page) => page.route(glob, () => {})
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const waitForWelcome = (page: Page) => page.getByRole('heading', { name: /^Welcome/ }).waitFor()
/** As far down as the section of this heading. */
const goTo = (name: string) => async (page: Page) => {
  const heading = page.getByRole('heading', { name, exact: true }).first()
  await heading.scrollIntoViewIfNeeded()
  await page.evaluate(`scrollBy(0, ${(await heading.boundingBox())?.y} - 100)`)
}

export const visitorScreens: Screen[] = [
  { name: 'welcome', path: '/' },
  { name: 'welcome-place', path: '/', prepare: goTo('What is on the shelves') },
  { name: 'welcome-data', path: '/', prepare: goTo('What happens to your data') },
  { name: 'welcome-operator', path: '/', prepare: goTo('Who runs this place') },
  { name: 'login', path: '/login' },
  { name: 'copyright', path: '/copyright' },
  { name: 'login-for-a-note', path: '/notes/4f2c3c1e-7a53-4c59-9a4b-52d5c8a3c2f1' },
  {
    name: 'login-refused',
    path: '/login',
    async prepare(page) {
      await page.getByLabel('Email').fill('nobody@uni.example')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
      await page.getByText('Invalid email or password').first().waitFor()
    },
  },
  { name: 'register', path: '/register' },
  {
    name: 'register-refused',
    path: '/register',
    prepare: (page) => page.getByRole('main').getByRole('button', { name: 'Register' }).click(),
  },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'reset-password', path: '/reset-password?token=example' },
  { name: 'verify', path: '/verify?token=example' },
  { name: 'verify-success', path: '/verify/success' },
  { name: 'verify-expired', path: '/verify/expired' },
  { name: 'verify-invalid', path: '/verify/invalid' },
  { name: 'verify-internal-error', path: '/verify/internal-error' },
  { name: 'unsubscribe', path: '/unsubscribe?token=example' },
  { name: 'not-me', path: '/not-me?token=example' },
  { name: 'confirm-email', path: '/confirm-email?token=example' },
  { name: 'rules', path: '/rules' },
  { name: 'not-found', path: '/no-such-page' },
]

/** The reader, at the page where a search found something. */
async function openFirstPassage(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /^Page \d+/ })
    .first()
    .click()
  await page.locator('.textLayer .highlight').first().waitFor()
}

async function openFirstAuthor(page: Page): Promise<void> {
  await page.locator('a[href^="/people/"]').first().click()
  await page.getByText('shared by name').waitFor()
}

/** Of the printed login of the demo library. */
export const studentScreens: Screen[] = [
  { name: 'home', path: '/', prepare: waitForWelcome },
  { name: 'home-shelves', path: '/', prepare: goTo('Newest') },
  { name: 'home-failed', path: '/', begin: fail('**/api/**/*notes*'), prepare: goTo('Newest') },
  // Its session is still asked for.
  {
    name: 'browse-cold',
    path: '/browse',
    begin: hold('**/api/users/auth/refresh'),
    prepare: (page) => page.waitForTimeout(1_500),
  },
  { name: 'browse', path: '/browse' },
  { name: 'browse-search', path: '/browse?courseCode=mat&sortBy=likes' },
  { name: 'browse-empty', path: '/browse?title=nobody+wrote+this&courseCode=zzz' },
  { name: 'browse-results', path: '/browse?q=vector' },
  { name: 'browse-results-empty', path: '/browse?q=vector+zyzzxq' },
  {
    name: 'browse-suggestions',
    path: '/browse',
    async prepare(page) {
      // Until what suggests is there, one types as ever.
      await page.locator('input[role=combobox][name=text]').waitFor()
      await page.getByLabel('Search inside the notes').fill('ma')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'browse-loading',
    path: '/browse',
    async prepare(page) {
      await hold('**/api/notes?*')(page)
      const fold = page.getByRole('button', { name: /^Filters/ })
      if (await fold.isVisible()) await fold.click()
      await page.getByLabel('Title').fill('lecture')
      await page.keyboard.press('Enter')
      await page.waitForTimeout(600)
    },
  },
  {
    name: 'browse-failed',
    path: '/browse',
    async prepare(page) {
      await fail('**/api/notes?*')(page)
      await page.goto('/browse?title=graphs')
      await page.getByText('There was an error fetching your notes.').first().waitFor()
    },
  },
  { name: 'my-notes', path: '/my-notes' },
  {
    name: 'my-notes-edit',
    path: '/my-notes',
    prepare: press(/^Edit Note/),
  },
  {
    name: 'my-notes-delete',
    path: '/my-notes',
    prepare: press(/^Delete Note/),
  },
  {
    name: 'my-notes-several',
    path: '/my-notes',
    async prepare(page) {
      await press('Choose several')(page)
      await press('All shown')(page)
    },
  },
  {
    name: 'my-notes-edit-several',
    path: '/my-notes',
    async prepare(page) {
      await press('Choose several')(page)
      await press('All shown')(page)
      await press('Edit chosen notes')(page)
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'courses', path: '/courses' },
  { name: 'courses-found', path: '/courses?q=al' },
  { name: 'courses-failed', path: '/courses', begin: fail('**/api/courses*'), prepare: goTo('All courses') },
  { name: 'course', path: '/courses/csc148' },
  { name: 'course-notes', path: '/courses/csc148', prepare: goTo('Notes') },
  { name: 'course-none', path: '/courses/csc148?academicYear=2017-18' },
  { name: 'course-failed', path: '/courses/csc148', begin: fail('**/api/courses/CSC148') },
  {
    name: 'course-notes-failed',
    path: '/courses/csc148',
    begin: fail('**/api/courses/CSC148/notes*'),
    prepare: goTo('Notes'),
  },
  { name: 'course-unknown', path: '/courses/zzz999' },
  { name: 'liked-notes', path: '/liked-notes' },
  { name: 'upload', path: '/upload' },
  {
    name: 'upload-chosen',
    path: '/upload',
    async prepare(page) {
      await page.getByLabel('Course Code').fill('mat137')
      const names = ['Week 1 - limits.pdf', 'Week 2 - derivatives.pdf']
      const files = names.map((name) => ({ name, mimeType: 'application/pdf', buffer: onePagePdf }))
      await page.locator('input[type=file]').setInputFiles(files)
    },
  },
  { name: 'reader', path: '/browse?q=vector', prepare: openFirstPassage },
  {
    name: 'reader-contents',
    path: '/browse?q=vector',
    async prepare(page) {
      await openFirstPassage(page)
      await page.getByRole('button', { name: 'Pages, contents and details' }).click()
    },
  },
  {
    name: 'reader-share',
    path: '/browse?q=vector',
    async prepare(page) {
      await openFirstPassage(page)
      await page.getByRole('button', { name: 'Share', exact: true }).click()
    },
  },
  {
    name: 'reader-report',
    path: '/browse?q=vector',
    async prepare(page) {
      await openFirstPassage(page)
      await press('More')(page)
      await press('Report note')(page)
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'decisions', path: '/decisions' },
  { name: 'author', path: '/browse', prepare: openFirstAuthor },
  { name: 'author-failed', path: '/people/4f2c3c1e-7a53-4c59-9a4b-52d5c8a3c2f1', begin: fail('**/api/people/**') },
  { name: 'author-none', path: '/people/4f2c3c1e-7a53-4c59-9a4b-52d5c8a3c2f1' },
  { name: 'profile', path: '/profile' },
  { name: 'settings', path: '/settings' },
  { name: 'settings-passkeys', path: '/settings', prepare: goTo('Passkeys') },
  { name: 'settings-add-passkey', path: '/settings', prepare: press('Add a passkey') },
  {
    name: 'settings-leaving',
    path: '/settings',
    prepare: (page) => page.getByRole('button', { name: 'Delete my account' }).click(),
  },
  {
    name: 'profile-loading',
    path: '/profile',
    async prepare(page) {
      await page.locator('a[href="/courses"]').first().click()
      await page.getByLabel('Find a course').waitFor()
      await hold('**/api/users/me')(page)
      await page.locator('a[href="/profile"]').first().click()
      await page.getByText('Loading your profile').waitFor()
    },
  },
  // Last: how lists are looked at is remembered.
  { name: 'list-my-notes', path: '/my-notes', prepare: press('Show as a list') },
  {
    name: 'list-my-notes-by-course',
    path: '/my-notes',
    prepare: (page) => page.getByLabel('Group by course').check(),
  },
  { name: 'list-browse', path: '/browse' },
  { name: 'list-course', path: '/courses/csc148', prepare: goTo('Notes') },
  { name: 'list-author', path: '/browse', prepare: openFirstAuthor },
]

export const suspendedScreens: Screen[] = [{ name: 'suspended', path: '/suspended' }]

/** Of an admin, who is a moderator as well. */
export const moderatorScreens: Screen[] = [
  { name: 'moderation', path: '/moderation' },
  { name: 'moderation-hidden', path: '/moderation', prepare: goTo('Hidden notes') },
  {
    name: 'moderation-failed',
    path: '/moderation',
    begin: fail('**/api/moderation/**'),
    prepare: (page) => page.getByRole('button', { name: /again/i }).waitFor(),
  },
  {
    name: 'moderation-decide',
    path: '/moderation',
    async prepare(page) {
      await press(/^Correct/)(page)
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'admin', path: '/admin' },
  { name: 'admin-registration', path: '/admin', prepare: goTo('Who may register') },
  { name: 'admin-log', path: '/admin', prepare: goTo('Log') },
]

/** Of somebody who has just registered. */
export const newStudentScreens: Screen[] = [
  { name: 'new-home', path: '/', prepare: waitForWelcome },
  { name: 'new-my-notes', path: '/my-notes' },
  { name: 'new-liked-notes', path: '/liked-notes' },
  { name: 'new-courses', path: '/courses' },
  { name: 'new-profile', path: '/profile' },
]
