import { expect, type Page } from '@playwright/test'
import { ask, rate, shareNote, shareNotes, uniqueCourseCode } from './notes.ts'
import { ownServerTest as test } from './test.ts'

/** The headings for an address without a page. */
const nothing = ['404 Page Not Found', 'Course not found', 'Author not found', 'This page didn’t load']

/** Replaces ids and query values, because addresses of the same shape are followed only once. */
function shapeOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://x')
  const path = pathname.replace(/[0-9a-f-]{36}/, ':id').replace(/^\/courses\/.+/, '/courses/:code')
  return `${path}?${[...searchParams.keys()].sort()}`
}

/**
 * Follows every link from the front page.
 * @returns the shapes of all opened addresses.
 */
async function followLinks(page: Page): Promise<string[]> {
  const opened = new Map<string, string>()
  const waiting = ['/']
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (opened.has(shapeOf(address))) continue
    opened.set(shapeOf(address), address)
    await page.goto(address)
    await expect(page.locator('h1').first()).toBeAttached()
    await expect(page.locator('main[aria-busy=true]')).toHaveCount(0)
    for (const text of nothing) await expect(page.getByRole('heading', { name: text }), address).toHaveCount(0)
    const links = await page.locator('a[href]').evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
    for (const link of links) expect(link, `a link on ${address}`).toMatch(/^(\/|\?|#|mailto:)/)
    waiting.push(...links.filter((link) => link.startsWith('/')))
  }
  return [...opened.keys()].sort()
}

test('no link leads nowhere', async ({ page, ben, signIn }) => {
  await test.step('for a visitor', async () => {
    expect(await followLinks(page)).toEqual([
      '/?',
      '/anonymity?',
      '/copyright?',
      '/decisions?',
      '/forgot-password?',
      '/forgot-password?next',
      '/login?',
      '/login?next',
      '/my-notes?',
      '/register?',
      '/register?next',
      '/rules?',
    ])
  })

  await test.step('for a student, where there are notes of all kinds', async () => {
    const mia = await signIn({ name: 'Mia Lund' })
    const courseCode = uniqueCourseCode()
    const notes = await shareNotes(ben, ['Limits', 'Heaps', 'Graphs'], { courseCode, instructor: 'Dr. Osei' })
    await shareNote(mia, 'Own', { courseCode })
    await rate(mia, notes[0]?._id ?? '', { likes: '+' })
    await ask(mia, 'PATCH', '/api/users/me', { recentlyViewedNotes: [notes[1]?._id] })
    await ask(mia, 'POST', `/api/courses/${courseCode}/follow`)
    const opened = await followLinks(page)
    for (const shape of [
      '/browse?',
      '/copyright?',
      '/courses/:code?',
      '/courses?',
      '/decisions?',
      '/liked-notes?',
      '/my-notes?',
      '/notes/:id?',
      '/people/:id?',
      '/profile?',
      '/rules?',
      '/upload?',
    ]) {
      expect(opened).toContain(shape)
    }
  })
})
