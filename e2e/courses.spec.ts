import { expect, type Page } from '@playwright/test'
import { clickForToast, clickTo, open } from './actions.ts'
import { listCourses, unsubscribeTokenOf } from './database.ts'
import { card, cards, expectTitles, loadMore, titles } from './note-lists.ts'
import { ask, rate, shareNote, shareNotes, uploadMany } from './notes.ts'
import { heading, main, navLink, region, toast, uniqueCourseCode } from './page.ts'
import { holdRequests } from './requests.ts'
import { test } from './test.ts'

const courseLink = (page: Page, code: string) => main(page).getByRole('link', { name: new RegExp(`^${code}`) })
const chip = (page: Page, group: string, name: string) =>
  page.getByRole('navigation', { name: group, exact: true }).getByRole('link', { name, exact: true })

test('a student follows a course and finds its new notes on Home @phone @smoke', async ({ page, mia, ben }) => {
  const [course, other] = [uniqueCourseCode(), uniqueCourseCode()]
  await shareNote(ben, 'Heaps', { courseCode: course })
  await shareNote(ben, 'Elsewhere', { courseCode: other })
  const own = region(page, 'Your courses')
  await page.goto(`/browse?courseCode=${course}`)

  // The course on a card opens its page.
  await card(page, 'Heaps').getByRole('link', { name: course, exact: true }).click()
  await expect(page).toHaveURL(`/courses/${course}`)
  await expect(heading(page, course)).toBeFocused()
  await expect(page).toHaveTitle(`${course} · Lectern`)
  await expect(main(page)).toContainText(/1 note since \d{1,2} [A-Z][a-z]{2} \d{4}/)
  await expectTitles(page, ['Heaps'])

  // A click that fails is undone and shows an error.
  const followButton = page.getByRole('button', { name: `Follow ${course}` })
  await page.route(/\/follow$/, (route) => route.abort())
  await clickForToast(followButton, 'Failed to follow the course. Please try again later.')
  await expect(followButton).toHaveAttribute('aria-pressed', 'false')
  await page.unrouteAll()

  // Following it shows immediately, and stays.
  const saved = page.waitForResponse(/\/follow$/)
  // Some users double-click everything.
  await followButton.dblclick({ delay: 50 })
  const following = page.getByRole('button', { name: `Following ${course}` })
  await expect(following).toHaveAttribute('aria-pressed', 'true')
  // The button changes before the response, and a reload would abort the request.
  await saved
  await page.reload()
  await expect(following).toBeVisible()

  // Its new notes are at home, and none of other courses.
  await shareNote(ben, 'Sorting', { courseCode: course })
  await page.getByRole('banner').getByRole('link', { name: 'Lectern, home' }).click()
  const shelf = region(page, 'New in your courses')
  await expectTitles(shelf, ['Sorting', 'Heaps'])
  await shelf.getByRole('link', { name: 'All your courses' }).click()

  // It comes first among the courses, where emails can be turned on.
  await expect(heading(page, 'Courses')).toBeFocused()
  await expect(navLink(page, 'Courses')).toHaveAttribute('aria-current', 'page')
  await expect(own.getByRole('listitem')).toHaveCount(1)
  await expect(own).toContainText(`${course}2 notes`)
  const mails = own.getByLabel('Email me about new notes')
  await expect(mails).toHaveValue('none')
  await mails.selectOption('Weekly')
  await expect(toast(page, 'You’ll get an email on Mondays when there are new notes.')).toBeVisible()
  await page.reload()
  await expect(mails).toHaveValue('weekly')

  // No longer followed, it is gone from there and from home.
  const removed = page.waitForResponse(/\/follow$/)
  await own.getByRole('button', { name: `Following ${course}` }).click()
  await expect(own.getByRole('listitem')).toHaveCount(0)
  await expect(own.getByRole('heading')).toBeFocused()
  await removed
  await clickTo(page.getByRole('banner').getByRole('link', { name: 'Lectern, home' }), 'Welcome, Mia!')
  await expect(region(page, 'Newest')).toBeVisible()
  await expect(region(page, 'New in your courses')).toHaveCount(0)
})

test('a course’s notes are chosen by year, instructor and order', async ({ page, mia, ben, courseCode: course }) => {
  for (const [title, academicYear, instructor] of [
    ['Old Wu', '2023–24', 'Mary Wu'],
    ['Old Olsen', '2023–24', 'Erik Olsen'],
    ['New Wu', '2025–26', 'Mary Wu'],
    ['New', '2025–26', undefined],
  ] as const) {
    await shareNotes(ben, [title], { courseCode: course, academicYear, ...(instructor && { instructor }) })
  }
  const favourite = await shareNote(ben, 'Favourite', { courseCode: course, academicYear: '2023–24' })
  await rate(mia, favourite._id, { likes: '+' })
  await page.goto(`/courses/${course.toLowerCase()}`)
  const notes = region(page, 'Notes')

  await expectTitles(region(page, 'Most liked'), ['Favourite'])
  await expectTitles(notes, ['Favourite', 'New', 'New Wu', 'Old Olsen', 'Old Wu'])
  await expect(page.getByRole('navigation', { name: 'Academic year' }).getByRole('link')).toHaveText([
    'All years',
    '2025–26',
    '2023–24',
  ])
  await chip(page, 'Instructor', 'Mary Wu').click()
  await expectTitles(notes, ['New Wu', 'Old Wu'])
  await chip(page, 'Academic year', '2023–24').click()
  await expectTitles(notes, ['Old Wu'])
  await expect(chip(page, 'Academic year', '2023–24')).toHaveAttribute('aria-current', 'true')
  await page.reload()
  await expectTitles(notes, ['Old Wu'])
  await page.goBack()
  await expectTitles(notes, ['New Wu', 'Old Wu'])
  await chip(page, 'Instructor', 'All instructors').click()
  await region(page, 'Most liked').getByRole('link', { name: 'All notes, most liked first' }).click()
  await expect(chip(page, 'Sort by', 'Most Liked')).toHaveAttribute('aria-current', 'true')
  await expect(titles(notes).first()).toContainText('Favourite')
  await page.goto(`/courses/${course}?academicYear=2025–26&instructor=Erik+Olsen`)
  await expect(notes).toContainText('No notes were found.')
  await notes.getByRole('link', { name: 'Show all notes' }).click()
  await expect(titles(notes)).toHaveCount(5)

  // A long row is unfolded, and the focus moves to what it hid.
  await page.route(`**/api/courses/${course}`, async (route) => {
    const response = await route.fetch()
    const instructors = Array.from({ length: 12 }, (_, at) => `Teacher ${at + 1}`)
    await route.fulfill({ response, json: { ...(await response.json()), instructors } })
  })
  await page.reload()
  await page.getByRole('button', { name: '4 more of instructor' }).click()
  await expect(chip(page, 'Instructor', 'Teacher 9')).toBeFocused()
})

test('a course with many notes loads more, and an unknown one shows so', async ({ page, mia, courseCode: course }) => {
  await uploadMany(mia, 30, course)
  await page.goto(`/courses/${course}`)
  await loadMore(page).click()
  await expect(cards(page)).toHaveCount(30)

  await open(page, `/courses/${uniqueCourseCode()}`, 'Course not found')
  await expect(main(page)).toContainText('This course has no notes yet.')
  await clickTo(main(page).getByRole('link', { name: 'All courses' }), 'Courses')
})

test('courses are found while typing, with the keyboard alone', async ({ page, mia, courseCode: course }) => {
  const typed = course.slice(0, -1).toLowerCase()
  await shareNote(mia, 'Heaps', { courseCode: course })
  await shareNote(mia, 'Other', { courseCode: uniqueCourseCode() })
  await page.goto('/courses')
  const filter = page.getByLabel('Find a course')
  await filter.focus()
  await page.keyboard.type(typed)
  await expect(heading(page, 'Courses')).toBeVisible()
  const found = region(page, `Courses matching “${typed}”`)
  await expect(found.getByRole('listitem')).toHaveCount(1)
  await expect(filter).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(courseLink(page, course)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heading(page, course)).toBeVisible()
  await page.goBack()
  await expect(filter).toHaveValue(typed)
  await expect(courseLink(page, course)).toBeFocused()
  await navLink(page, 'Courses').click()
  await expect(filter).toHaveValue('')
  await filter.fill(typed)
  const held = await holdRequests(page, new RegExp(`/api/courses/${course}`, 'i'))
  // Typing must not cancel the pending navigation, however fast it follows the click.
  const link = await courseLink(page, course).elementHandle()
  await filter.evaluate((input: HTMLInputElement, clicked) => {
    ;(clicked as HTMLElement).click()
    input.focus()
    document.execCommand('insertText', false, 'x')
  }, link)
  held.release()
  await expect(heading(page, course)).toBeVisible()
  await page.goBack()
  await filter.fill('no such course')
  await expect(main(page)).toContainText('No courses were found.')
  // Nothing is said about the next text before the answer.
  const answer = await holdRequests(page, /\/api\/courses\?/)
  await filter.fill(course)
  await expect(region(page, `Courses matching “${course}”`)).toBeVisible()
  await expect(main(page)).not.toContainText('No courses were found.')
  answer.release()
  await expect(courseLink(page, course)).toBeVisible()
  await filter.fill('')
  await expect(region(page, 'All courses').getByRole('listitem').nth(1)).toBeVisible()
})

test('a long list of courses is loaded with the keyboard', async ({ page, lectern, mia, courseCode: letters }) => {
  const last = `${letters}061`
  await listCourses(lectern, letters, 61)
  await page.goto(`/courses?q=${letters.toLowerCase()}`)
  const found = region(page, `Courses matching “${letters.toLowerCase()}”`)
  await expect(found.getByRole('listitem')).toHaveCount(60)
  const more = found.getByRole('button', { name: 'Load more courses' })
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(found.getByRole('listitem')).toHaveCount(61)
  await expect(more).toHaveCount(0)
  await expect(courseLink(page, last)).toBeFocused()
  await expect(courseLink(page, last)).toContainText('No notes yet')
  await page.keyboard.press('Enter')
  await expect(heading(page, last)).toBeVisible()
  await expect(main(page)).toContainText(`No notes for ${last} yet.`)
})

test('opening the link of an email changes nothing; a click ends them @phone', async ({ page, createStudent }) => {
  const mia = await createStudent({ name: 'Mia Lund' })
  const readChoice = async () => (await ask(mia, 'GET', '/api/users/me/courses')).mails
  await ask(mia, 'PATCH', '/api/users/me/courses/mails', { mails: 'daily' })
  await open(page, `/unsubscribe?token=${await unsubscribeTokenOf(mia)}`, 'Course emails')
  await expect(page).toHaveURL('/unsubscribe')
  expect(await readChoice()).toBe('daily')
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(main(page)).toContainText('You’re unsubscribed.')
  expect(await readChoice()).toBe('none')

  await page.goto('/unsubscribe?token=abc')
  await clickTo(page.getByRole('button', { name: 'Unsubscribe' }), 'Invalid Link')
})
