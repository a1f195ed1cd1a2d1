import { type BrowserContext, expect } from '@playwright/test'
import { expectOpensInTab, newCourse, titleLink } from './note-lists.ts'
import { test } from './test.ts'

/** What `act` does leads to a tab of its own, which is closed again. @returns the address it came to. */
async function addressOfTab(context: BrowserContext, act: () => Promise<void>): Promise<string> {
  const opened = context.waitForEvent('page')
  await act()
  const tab = await opened
  await tab.waitForURL(/\/notes\//)
  const { pathname, search } = new URL(tab.url())
  await tab.close()
  return pathname + search
}

test('a card is a link to the reader, and a plain click opens the file', async ({
  page,
  context,
  createStudent,
  signIn,
  uploadNote,
}) => {
  const courseCode = newCourse()
  const id = await uploadNote(await createStudent({ name: 'Ben Ito' }), { title: 'Rings', courseCode })
  await signIn(await createStudent())
  await page.goto(`/browse?courseCode=${courseCode}`)
  const link = titleLink(page, 'Rings')
  await expect(link).toHaveAttribute('href', `/notes/${id}`)
  expect(await addressOfTab(context, () => link.click({ button: 'middle' }))).toBe(`/notes/${id}`)
  expect(await addressOfTab(context, () => link.click({ modifiers: ['ControlOrMeta'] }))).toBe(`/notes/${id}`)
  await expectOpensInTab(page, () => link.click())
  await expectOpensInTab(page, () => link.press('Enter'))
  await expect(page).toHaveURL(`/browse?courseCode=${courseCode}`)
})
