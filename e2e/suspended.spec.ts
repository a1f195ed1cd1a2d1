import { expect } from '@playwright/test'
import { logIn, main, submitButton } from './forms.ts'
import { ask, shareNote } from './notes.ts'
import { type Student, test as studentsTest } from './test.ts'
import { toast, toasts } from './toasts.ts'

const test = studentsTest.extend<{
  suspend: (student: Student) => Promise<void>
  suspendMeanwhile: () => Promise<Student>
}>({
  suspend: ({ createStudent }, use) =>
    use(async ({ id }) => {
      const suspension = { days: 7, reason: 'Sold exams.', hidesNotes: true }
      await ask(await createStudent({ role: 'admin' }), 'POST', `/api/admin/members/${id}/suspension`, suspension)
    }),
  /** Suspends a student whose open page sends no requests by itself, and so does not learn of the suspension. */
  suspendMeanwhile: async ({ page, createStudent, signIn, suspend }, use) => {
    await use(async () => {
      const student = await createStudent()
      await signIn(student)
      await page.goto('/upload')
      await expect(page.getByRole('heading', { name: 'Upload Notes' })).toBeVisible()
      await suspend(student)
      return student
    })
  },
})

test('a suspended user sees the reason @phone @smoke', async ({ page, suspend, createStudent }) => {
  const student = await createStudent({ name: 'Sam Reyes' })
  const { _id: noteId } = await shareNote(student, 'Heaps')
  await suspend(student)
  const heading = page.getByRole('heading', { name: 'Your account is suspended' })

  await test.step('after the login, wherever they wanted to go', async () => {
    await page.goto('/my-notes')
    await logIn(page, student)
    await expect(heading).toBeVisible()
    await expect(page).toHaveURL(/\/suspended$/)
    await expect(page).toHaveTitle(/Account suspended/)
    await expect(main(page).getByRole('region', { name: 'Reason' })).toContainText(
      /until \d+ \w+ 20\d\d, .*Sold exams\./,
    )
  })

  await test.step('there is no other page of students, and those for everybody stay', async () => {
    await expect(page.getByRole('link', { name: 'Browse' })).toHaveCount(0)
    for (const path of ['/', '/browse?title=x', '/upload', '/settings', '/login', `/notes/${noteId}`]) {
      await page.goto(path)
      await expect(heading).toBeVisible()
      await expect(page).toHaveURL(/\/suspended$/)
    }
    await main(page).getByRole('link', { name: 'Guidelines' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Guidelines' })).toBeVisible()
    await page.getByRole('link', { name: 'Lectern, home' }).click()
    await expect(heading).toBeFocused()
  })

  await test.step('and logs out', async () => {
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('heading', { name: 'Login to Lectern' })).toBeVisible()
  })
})

test('a tab of before follows the one with the limited login', async ({ page, context, suspendMeanwhile }) => {
  const student = await suspendMeanwhile()
  const another = await context.newPage()
  await another.goto('/login')
  await logIn(another, student)
  for (const tab of [another, page]) {
    await expect(tab.getByRole('heading', { name: 'Your account is suspended' })).toBeVisible()
  }
})

test('a tab that was not notified follows at its next request', async ({ page, signIn, suspendMeanwhile }) => {
  const student = await suspendMeanwhile()
  await signIn(student)
  await page.getByRole('link', { name: 'My Notes', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Your account is suspended' })).toBeVisible()
  await expect(page).toHaveURL(/\/suspended$/)
})

test('a session that ended meanwhile is said once', async ({ page, context, suspend, createStudent, signIn }) => {
  const student = await createStudent()
  await suspend(student)
  await signIn(student)
  // These initial requests must finish first, or one of them would report the ended session.
  const answered = ['export', 'leaving', 'sessions'].map((what) => page.waitForResponse(`/api/users/me/${what}`))
  await page.goto('/suspended')
  await Promise.all(answered)
  await expect(submitButton(page, 'Create export')).toBeVisible()
  expect((await context.request.post('/api/users/logout')).status()).toBe(204)
  await submitButton(page, 'Create export').click()
  await expect(toast(page, 'Session expired. Please log in again.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Login to Lectern' })).toBeVisible()
  // Read without retries, because a second toast would disappear.
  expect(await toasts(page).getByRole('listitem').count()).toBe(1)
})
