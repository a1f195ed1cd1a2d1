import { defineEndpoint } from './endpoint.ts'
import { noteParams } from './notes.ts'
import {
  noteCount,
  noteCountQuery,
  notePage,
  noteQuery,
  ownNoteQuery,
  relatedNotes,
  searchPage,
  searchQuery,
  suggestions,
  suggestionsQuery,
} from './search.ts'

const list = {
  method: 'GET',
  tag: 'notes',
  query: noteQuery,
  responses: { 200: notePage },
  errorCodes: ['busy'],
} as const

export const listNotes = defineEndpoint({ ...list, path: '/api/notes', summary: 'List all notes' })

export const listMyNotes = defineEndpoint({
  ...list,
  path: '/api/users/me/notes',
  query: ownNoteQuery,
  summary: 'List my notes',
})

export const listLikedNotes = defineEndpoint({
  ...list,
  path: '/api/users/me/notes/liked',
  summary: 'List the notes I like',
})

export const countNotes = defineEndpoint({
  method: 'GET',
  path: '/api/notes/count',
  tag: 'notes',
  summary: 'Count the notes of a list',
  description: 'Counts up to 1,000. `isAll` tells whether these are all.',
  query: noteCountQuery,
  responses: { 200: noteCount },
  errorCodes: ['busy'],
})

export const searchNotes = defineEndpoint({
  method: 'GET',
  path: '/api/search',
  tag: 'notes',
  summary: 'Search inside notes',
  query: searchQuery,
  responses: { 200: searchPage },
  errorCodes: ['search_timeout', 'busy'],
})

export const suggest = defineEndpoint({
  method: 'GET',
  path: '/api/suggestions',
  tag: 'notes',
  summary: 'Suggest courses, titles and instructors',
  query: suggestionsQuery,
  responses: { 200: suggestions },
  errorCodes: ['busy'],
})

export const listRelatedNotes = defineEndpoint({
  method: 'GET',
  path: '/api/notes/:id/related',
  tag: 'notes',
  summary: 'List related notes',
  params: noteParams,
  responses: { 200: relatedNotes },
  errorCodes: ['note_not_found', 'busy'],
})
