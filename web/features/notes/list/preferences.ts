import { createPreference } from '../../../platform/ui/create-preference.ts'

export const listLooks = ['grid', 'list'] as const

/** How a student likes to see lists of notes, on every page that has one. */
export const listView = createPreference('lectern-list-look', listLooks)

/** Whether anything was looked for inside the notes. */
export const hasSearched = createPreference('lectern-has-searched', ['no', 'yes'])

/** Whether My Notes go course by course. */
export const groupedByCourse = createPreference('lectern.my-notes-by-course', ['false', 'true'])
