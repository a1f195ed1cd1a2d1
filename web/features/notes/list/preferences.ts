import { createPreference } from '../../../platform/storage.ts'

export const listViews = ['grid', 'list'] as const

export const listView = createPreference('lectern-list-look', listViews)

export const groupedByCourse = createPreference('lectern.my-notes-by-course', ['false', 'true'])
