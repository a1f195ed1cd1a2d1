import type { Note } from '../../../../packages/contract/notes.ts'

/**
 * Starts to load the fonts for letters outside Western European languages that these notes contain, while their cards
 * render. A font that arrives later makes the browser lay out the whole page a second time.
 */
export function preloadFonts(notes: Note[]): void {
  load('Brygada 1918', notes.flatMap(({ title, courseCode }) => [title, courseCode]).join(''))
  load('Figtree', notes.flatMap(({ courseCode, instructor, user }) => [courseCode, instructor, user?.name]).join(''))
}

function load(family: string, text: string): void {
  document.fonts.load(`1rem "${family}"`, text).catch(() => {
    // The text is shown in the available fonts.
  })
}
