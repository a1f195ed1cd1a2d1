import { createPreference } from '../../../platform/ui/create-preference.ts'

export const listViews = ['grid', 'list'] as const

/** The user's view of lists of notes, shared by all pages. */
export const listView = createPreference('lectern-list-look', listViews)

/** Whether the user has ever searched inside the notes. */
export const hasSearched = createPreference('lectern-has-searched', ['no', 'yes'])

/** Whether My Notes are grouped by course. */
export const groupedByCourse = createPreference('lectern.my-notes-by-course', ['false', 'true'])
