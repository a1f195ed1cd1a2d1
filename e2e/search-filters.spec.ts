import { expect } from '@playwright/test'
import { enter, open } from './actions.ts'
import { cards, expectTitles, titles } from './note-lists.ts'
import { shareNote, shareNotes, uploadMany } from './notes.ts'
import { heading, main, uniqueCourseCode } from './page.ts'
import { barBox, searchBar } from './search-bar.ts'
import { test } from './test.ts'

test('fields, address and notes agree, and filters are removed one by one', async ({ page, mia, courseCode }) => {
  await shareNote(mia, 'Heaps', { courseCode, academicYear: '2024–25', instructor: 'Dr. Osei' })
  await shareNote(mia, 'Graphs', { courseCode, academicYear: '2025–26', instructor: 'Dr. Osei' })
  await page.goto(`/browse?courseCode=${courseCode.toLowerCase()}&academicYear=2024-25&instructor=osei`)
  await expect(main(page).getByText('1 note', { exact: true })).toBeVisible()
  const remove = (what: string) => page.getByRole('button', { name: `Remove ${what}`, exact: true })
  await expect(remove(`the course ${courseCode}`)).toHaveText(courseCode)
  await expect(remove('the instructor “osei”')).toHaveText('osei')
  // What is typed but not sent stays.
  const form = searchBar(page)
  await form.unfold()
  await form.title.fill('trees')
  await remove('the academic year 2024–25').click()
  await expect(page).toHaveURL(`/browse?courseCode=${courseCode.toLowerCase()}&instructor=osei`)
  await expectTitles(page, ['Graphs', 'Heaps'])
  await expect(main(page).getByText('2 notes, most recent first', { exact: true })).toBeVisible()
  await expect(remove('the academic year 2024–25')).toHaveCount(0)
  await expect(form.title).toHaveValue('trees')
  await expect(form.academicYear).toHaveValue('')
  await expect(heading(page, 'Browse Notes')).toBeFocused()

  // Esc empties no field: what was searched stays, and what was only typed goes.
  await page.goto(`/browse?title=heaps&courseCode=${courseCode}`)
  await expectTitles(page, ['Heaps'])
  await form.title.press('Escape')
  await expect(form.title).toHaveValue('heaps')
  await form.title.fill('graphs')
  await form.instructor.fill('osei')
  await form.title.press('Escape')
  await expect(form.title).toHaveValue('heaps')
  await expect(form.instructor).toHaveValue('osei')
  await form.instructor.press('Escape')
  await expect(form.instructor).toHaveValue('')

  await enter(form.box, 'heaps')
  await expect(heading(page, 'Results for “heaps”')).toBeVisible()
  for (const typed of ['heaps', 'graphs']) {
    await form.box.fill(typed)
    await form.box.press('Escape')
    await form.box.press('Escape')
    await expect(form.box).toHaveValue('heaps')
  }
})

test('a text in the wrong field is one click away from where it belongs', async ({ page, mia, courseCode }) => {
  const name = `Petrova${courseCode.toLowerCase()}`
  await uploadMany(mia, 25, courseCode)
  await shareNotes(mia, ['Heaps', 'Graphs'], { courseCode: uniqueCourseCode(), instructor: `Prof. ${name}` })
  await shareNote(mia, `About ${courseCode}`, { courseCode: uniqueCourseCode() })
  const form = searchBar(page)

  await page.goto('/browse')
  await form.title.fill(name)
  await form.search.click()
  await expect(main(page).getByText('No notes were found.').last()).toBeVisible()
  await page.getByRole('link', { name: `Show 2 notes by instructor ${name}`, exact: true }).click()
  await expect(page).toHaveURL(`/browse?instructor=${name}`)
  await expect(titles(page)).toHaveCount(2)
  await expect(form.title).toHaveValue('')
  await expect(form.instructor).toHaveValue(name)

  // A course as a title, which finds a little.
  await page.goto(`/browse?title=${courseCode.toLowerCase()}`)
  await expectTitles(page, [`About ${courseCode}`])
  await page.getByRole('link', { name: `Show 25 notes in course ${courseCode}`, exact: true }).click()
  await expect(page).toHaveURL(`/browse?courseCode=${courseCode.toLowerCase()}`)
  await expect(titles(page)).toHaveCount(24)
  await expect(main(page).getByText('25 notes, most recent first', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Show \d/ })).toHaveCount(0)

  await page.goto(`/my-notes?courseCode=${name}`)
  await expect(page.getByRole('link', { name: /^Show \d+ / })).toHaveText([
    `Show 2 notes by instructor ${name}`,
    `Show 2 results for ${name} in the text`,
  ])
})

test('after a search a phone shows the results, not the form @phone', async ({ page, mia, courseCode }) => {
  await uploadMany(mia, 3, courseCode)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/browse')
  const form = searchBar(page)
  const title = heading(page, 'Browse Notes')
  await form.unfold()
  await enter(form.courseCode, courseCode)
  await expect(cards(page)).toHaveCount(3)
  await expect(title).toBeFocused()
  await expect(title).toBeInViewport()
  await expect(main(page).getByText('3 notes, most recent first')).toBeInViewport()
  await expect(cards(page).first()).toBeInViewport({ ratio: 0.9 })
  await expect(form.fold).toHaveAttribute('aria-expanded', 'false')

  await form.unfold()
  await form.sortBy.selectOption('likes')
  await expect(page).toHaveURL(/sortBy=likes/)
  await expect(title).toBeFocused()
  await expect(form.courseCode).toBeHidden()

  await page.goBack()
  await expect(main(page).getByText('3 notes, most recent first')).toBeVisible()
})

test('the fields are in one row on a wide screen, and no chosen value is cut off', async ({ page, mia }) => {
  const form = searchBar(page)
  const fields = [form.title, form.courseCode, form.academicYear, form.instructor, form.sortBy]
  for (const width of [768, 1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/browse')
    const boxes = await Promise.all(fields.map((field) => field.boundingBox()))
    expect(new Set(boxes.map((box) => box?.y)).size, `rows at ${width} px`).toBe(1)
  }
  await page.goto('/browse?q=heaps')
  for (const width of [320, 360, 390, 640, 720, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await form.unfold()
    // The select must be as wide as its longest option requires.
    const missing = await form.sortBy.evaluate((select: HTMLSelectElement) => {
      const measured = select.cloneNode(true) as HTMLSelectElement
      measured.style.width = 'auto'
      measured.style.position = 'absolute'
      select.parentElement?.append(measured)
      const wanted = measured.getBoundingClientRect().width
      measured.remove()
      return wanted - select.getBoundingClientRect().width
    })
    expect(missing, `cut at ${width} px`).toBeLessThanOrEqual(0)
  }
})

test('the search box is one key or one tap away on every page @phone @smoke', async ({ page, mia, ben }, {
  project,
}) => {
  const courseCode = uniqueCourseCode()
  await shareNote(ben, `Heaps of ${courseCode}`, { courseCode })
  const box = barBox(page)
  const opener = page.getByRole('button', { name: 'Open search' })
  const options = page.getByRole('listbox').getByRole('option')

  // A slash leads there as soon as the page is visible.
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('h1')?.textContent !== 'My Notes') return
      observer.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true }))
    })
    observer.observe(document, { subtree: true, childList: true, characterData: true })
  })
  await page.goto('/my-notes')
  await expect(box).toBeFocused()

  // Ctrl and K lead there from a text field, a slash from elsewhere.
  await page.goto('/upload')
  const course = page.getByLabel('Course Code', { exact: true })
  await course.fill('M')
  await course.press('/')
  await expect(course).toHaveValue('M/')
  await course.press('Control+k')
  await expect(box).toBeFocused()
  await heading(page, 'Upload Notes').click()
  await page.keyboard.press('/')
  await expect(box).toBeFocused()
  await expect(box).toHaveValue('')

  // Where the bar has no room, a button opens it and Esc closes it.
  await box.fill('heaps')
  await box.press('Escape')
  await box.press('Escape')
  await expect(box).toHaveValue('')
  await expect(box).not.toBeFocused()
  await expect(opener).toBeVisible({ visible: project.name === 'phone' })
  if (project.name === 'phone') {
    await expect(opener).toBeFocused()
    await opener.click()
    await expect(box).toBeFocused()
    await page.getByRole('button', { name: 'Close search' }).click()
    await expect(opener).toBeFocused()
  }

  // It suggests a search inside the notes first, then what there is.
  await page.keyboard.press('Control+k')
  await page.keyboard.type(`of ${courseCode}`)
  await expect(options).toHaveText([
    `Search inside notes for “of ${courseCode}”`,
    new RegExp(`^Heaps of ${courseCode}\\s?1 note$`),
  ])
  await options.last().click()
  await expect(page).toHaveURL(`/browse?q=%22Heaps+of+${courseCode}%22`)
  await expectTitles(page, [`Heaps of ${courseCode}`])

  // Browse and Home have one box, the large one.
  await expect(box).toHaveCount(0)
  await opener.click()
  await expect(searchBar(page).box).toBeFocused()
  await page.goto('/')
  await expect(box).toHaveCount(0)

  // Who has switched off single keys types a slash, and keeps Ctrl and K.
  await page.evaluate(() => localStorage.setItem('lectern-single-keys', 'off'))
  await open(page, '/courses', 'Courses')
  await page.keyboard.press('/')
  await expect(box).not.toBeFocused()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(courseCode)
  await page.keyboard.press('Enter')
  await expect(heading(page, `Results for “${courseCode}”`)).toBeVisible()
})

test('the search box suggests while typing, with the keyboard alone', async ({ page, mia, courseCode: course }) => {
  await shareNotes(mia, ['Heaps', 'Trees'], { courseCode: course, instructor: `Prof. ${course} Vega` })
  await page.goto('/browse')
  const { box } = searchBar(page)
  const list = page.getByRole('listbox')
  const option = (name: RegExp) => list.getByRole('option', { name })
  await box.focus()
  await expect(page.getByRole('combobox', { name: 'Search inside notes' })).toBeFocused()

  // Courses and instructors, with how many notes they have.
  await page.keyboard.type(course.slice(0, 6).toLowerCase())
  await expect(option(new RegExp(`^${course} 2 notes$`))).toBeVisible()
  await expect(list.getByRole('group', { name: 'Courses' })).toBeVisible()
  await expect(box).toHaveAttribute('aria-expanded', 'true')

  await page.keyboard.press('Escape')
  await expect(list).toHaveCount(0)
  await expect(box).toHaveValue(course.slice(0, 6).toLowerCase())
  await expect(box).toBeFocused()

  // Arrows lead through them, Enter takes one and searches.
  await page.keyboard.type(course.slice(6, 8).toLowerCase())
  await expect(option(new RegExp(`^${course} 2 notes$`))).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(list.getByRole('option').first()).toHaveText(
    `Search inside notes for “${course.slice(0, 8).toLowerCase()}”`,
  )
  await expect(list.getByRole('option').first()).toHaveAttribute('data-highlighted', '')
  await page.keyboard.press('ArrowDown')
  await expect(option(new RegExp(`^${course} `))).toHaveAttribute('data-highlighted', '')
  const id = await option(new RegExp(`^${course} `)).getAttribute('id')
  await expect(box).toHaveAttribute('aria-activedescendant', id ?? '')
  await page.keyboard.press('Enter')
  await expect(heading(page, `Results for “${course}”`)).toBeVisible()
  await expect(page).toHaveURL(`/browse?q=${course}`)
  await expect(list).toHaveCount(0)
  await expect(page.getByRole('article')).toHaveCount(2)
})

test('the edit dialog suggests courses and instructors @phone', async ({ page, mia, ben, courseCode: course }) => {
  await shareNote(ben, 'Heaps', { courseCode: course, instructor: `Prof. ${course}` })
  await shareNote(mia, 'Trees', { courseCode: uniqueCourseCode() })
  await page.goto('/my-notes')
  await page.getByRole('button', { name: 'Edit Note' }).click()
  const dialog = page.getByRole('dialog')
  for (const [label, name] of [
    ['Course Code', course],
    ['Instructor', `Prof. ${course}`],
  ] as const) {
    const field = dialog.getByLabel(label)
    await field.click()
    await expect(dialog.getByRole('combobox', { name: label })).toBeFocused()
    await field.fill(course.toLowerCase())
    await page.getByRole('option', { name: `${name} 1 note` }).click()
    await expect(field).toHaveValue(name)
    await expect(page.getByRole('listbox')).toHaveCount(0)
  }
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog).toHaveCount(0)
  await page.goto(`/browse?courseCode=${course}`)
  await expectTitles(page, ['Trees', 'Heaps'])
})
