import { createPreference } from '../../../platform/ui/create-preference.ts'

export const listViews = ['grid', 'list'] as const

export const listView = createPreference('lectern-list-look', listViews)

export const groupedByCourse = createPreference('lectern.my-notes-by-course', ['false', 'true'])
