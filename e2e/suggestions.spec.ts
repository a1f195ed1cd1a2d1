import { expect } from '@playwright/test'
import { expectTitles, heading, searchBar } from './note-lists.ts'
import { shareNote, shareNotes, uniqueCourseCode } from './notes.ts'
import { test } from './test.ts'

test('the one box suggests what there is while one types, for the keyboard alone', async ({ page, mia }) => {
  const course = uniqueCourseCode()
  await shareNotes(mia, ['Heaps', 'Trees'], { courseCode: course, instructor: `Prof. ${course} Vega` })
  await page.goto('/browse')
  const { box } = searchBar(page)
  const list = page.getByRole('listbox')
  const option = (name: RegExp) => list.getByRole('option', { name })
  await box.focus()
  await expect(page.getByRole('combobox', { name: 'Search inside notes' })).toBeFocused()

  await test.step('courses and instructors, with how many notes they have', async () => {
    await page.keyboard.type(course.slice(0, 6).toLowerCase())
    await expect(option(new RegExp(`^${course} 2 notes$`))).toBeVisible()
    await expect(list.getByRole('group', { name: 'Courses' })).toBeVisible()
    await expect(box).toHaveAttribute('aria-expanded', 'true')
  })

  await test.step('Esc closes them and leaves the text', async () => {
    await page.keyboard.press('Escape')
    await expect(list).toHaveCount(0)
    await expect(box).toHaveValue(course.slice(0, 6).toLowerCase())
    await expect(box).toBeFocused()
  })

  await test.step('arrows lead through them, Enter takes one and searches', async () => {
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
})

test('the edit dialog suggests courses and instructors @phone', async ({ page, mia, ben }) => {
  const course = uniqueCourseCode()
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
