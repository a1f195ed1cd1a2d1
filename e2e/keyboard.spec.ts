import { expect, type Locator, type Page } from '@playwright/test'
import { onePagePdf } from '../server/testing/pdf.ts'
import { open } from './actions.ts'
import { card, cards, likeButton, titleLink, titles } from './note-lists.ts'
import { shareNotes } from './notes.ts'
import { heading, main, navLink, toast } from './page.ts'
import { searchBar } from './search-bar.ts'
import { test } from './test.ts'

/** Presses a key until the target has the focus, at most 100 times. The focus must be visible on every element. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  for (let presses = 0; presses < 100; presses++) {
    await page.keyboard.press(key)
    await expectFocusSeen(page)
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  await expect(target, 'cannot be reached with the keyboard').toBeFocused()
}

/** Expects an outline or ring on the focused element, its pseudo-elements or its two nearest ancestors. */
async function expectFocusSeen(page: Page) {
  const isSeen = await page.evaluate(() => {
    const focused = document.activeElement
    if (focused === null || focused === document.body) return true
    const looks = [
      getComputedStyle(focused),
      getComputedStyle(focused, '::after'),
      getComputedStyle(focused, '::before'),
    ]
    for (let around = focused.parentElement, up = 0; around !== null && up < 2; around = around.parentElement, up++) {
      looks.push(getComputedStyle(around))
    }
    return looks.some(
      ({ outlineStyle, outlineWidth, boxShadow }) =>
        (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || /0px 0px 0px [2-9]/.test(boxShadow),
    )
  })
  const name = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120))
  expect(isSeen, `the focus is not seen on ${name}`).toBe(true)
}

test('a student finds, opens, likes a note without a mouse @smoke', async ({ page, mia, ben, courseCode: course }) => {
  await shareNotes(ben, ['Heaps', 'Graphs', 'Trees'], {
    courseCode: course,
  })
  await open(page, '/browse', 'Browse Notes')

  const bar = searchBar(page)
  await page.keyboard.press('/')
  await expect(bar.box).toBeFocused()
  await expect(bar.box).toHaveValue('')
  await tabTo(page, bar.courseCode)
  await page.keyboard.type(course)
  await page.keyboard.press('Enter')
  await expect(cards(page)).toHaveCount(3)
  await expect(bar.courseCode).toBeFocused()

  const openers = titles(page)
  await tabTo(page, openers.first())
  await page.keyboard.press('ArrowRight')
  await expect(openers.nth(1)).toBeFocused()
  await expectFocusSeen(page)
  await page.keyboard.press('Home')
  await expect(openers.first()).toBeFocused()

  const heaps = card(page, 'Heaps')
  await tabTo(page, titleLink(page, 'Heaps'))
  const tab = page.waitForEvent('popup')
  await page.keyboard.press('Enter')
  await (await tab).close()
  await titleLink(page, 'Heaps').focus()
  await tabTo(page, likeButton(heaps))
  await page.keyboard.press('Space')
  await expect(likeButton(heaps)).toHaveAttribute('aria-pressed', 'true')
})

test('a student shares, edits, deletes notes without a mouse @smoke', async ({ page, signIn, courseCode: course }) => {
  // Registered before the first key, because the browser must expect the chooser when it opens.
  const chooser = page.waitForEvent('filechooser')
  await signIn()
  await open(page, '/upload', 'Upload Notes')

  await tabTo(page, page.getByLabel('PDF files'))
  await page.keyboard.press('Enter')
  await (await chooser).setFiles({ name: 'Heaps.pdf', mimeType: 'application/pdf', buffer: onePagePdf })
  await tabTo(page, page.getByLabel('Course code'))
  await page.keyboard.type(course)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Notes uploaded successfully!')).toBeVisible()
  await expect(heading(page, 'My Notes')).toBeFocused()

  const dialog = page.getByRole('dialog')
  const focusIsInside = () => dialog.evaluate((element) => element.contains(document.activeElement))
  /** Waits until the dialog has the focus; an earlier key would go to the page behind it. */
  const openDialog = async (name: string) => {
    await tabTo(page, page.getByRole('button', { name }))
    await page.keyboard.press('Enter')
    await expect.poll(focusIsInside).toBe(true)
  }

  // A dialog keeps the focus, closes with Esc and gives it back.
  await openDialog('Edit Note')
  await expect(dialog.getByLabel('Title', { exact: true })).toBeFocused()
  for (let presses = 0; presses < 9; presses++) {
    await page.keyboard.press('Tab')
    await expect.poll(focusIsInside).toBe(true)
    await expectFocusSeen(page)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Edit Note' })).toBeFocused()

  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Title', { exact: true })).toBeFocused()
  await tabTo(page, dialog.getByLabel('Instructor'))
  await page.keyboard.type('Dr. Osei')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Note updated successfully!')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(card(page, 'Heaps')).toContainText('Dr. Osei')
  await expect(page.getByRole('button', { name: 'Edit Note' })).toBeFocused()

  await openDialog('Delete Note')
  await tabTo(page, dialog.getByRole('button', { name: 'Delete', exact: true }))
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Note deleted successfully.')).toBeVisible()
  await expect(cards(page)).toHaveCount(0)
  await expect(heading(page, 'My Notes')).toBeFocused()
})

test('the whole bar works with the keyboard, and the focus is visible', async ({ page, mia }) => {
  await open(page, '/browse', 'Browse Notes')

  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Enter')
  await expect(main(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(main(page).locator(':focus')).toHaveCount(1)

  await tabTo(page, navLink(page, 'Upload'), 'Shift+Tab')
  await expect(navLink(page, 'Upload')).toHaveCSS('outline-style', 'solid')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Upload Notes')).toBeFocused()
  // The router counts its history entries; the entry of the skip link has no number.
  expect(await page.evaluate(() => Number.isInteger(history.state.idx))).toBe(true)

  const menu = page.getByRole('banner').getByRole('button', { name: 'Theme: System' })
  await tabTo(page, menu, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: 'Theme' })).toBeVisible()
  await tabTo(page, page.getByRole('radio', { name: 'System' }))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('group', { name: 'Theme' })).toBeHidden()
  await expect(page.getByRole('banner').getByRole('button', { name: 'Theme: Dark' })).toBeFocused()

  await tabTo(page, page.getByRole('button', { name: 'Logout' }))
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Login to Lectern')).toBeFocused()
})
