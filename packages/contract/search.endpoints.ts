import { endpointsOf } from './endpoint.ts'
import { noteParams } from './notes.ts'
import * as search from './search.ts'

const define = endpointsOf('notes')

const list = {
  query: search.noteQuery,
  responses: { 200: search.notePage },
  errorCodes: ['busy'],
} as const

export const listNotes = define('GET', '/api/notes', { ...list, summary: 'List all notes' })

export const listMyNotes = define('GET', '/api/users/me/notes', {
  ...list,
  query: search.ownNoteQuery,
  summary: 'List my notes',
})

export const listLikedNotes = define('GET', '/api/users/me/notes/liked', {
  ...list,
  summary: 'List the notes I like',
})

export const countNotes = define('GET', '/api/notes/count', {
  summary: 'Count the notes of a list',
  description: 'Counts up to 1,000. `isAll` tells whether these are all.',
  query: search.noteCountQuery,
  responses: { 200: search.noteCount },
  errorCodes: ['busy'],
})

export const searchNotes = define('GET', '/api/search', {
  summary: 'Search inside notes',
  query: search.searchQuery,
  responses: { 200: search.searchPage },
  errorCodes: ['search_timeout', 'busy'],
})

export const suggest = define('GET', '/api/suggestions', {
  summary: 'Suggest courses, titles and instructors',
  query: search.suggestionsQuery,
  responses: { 200: search.suggestions },
  errorCodes: ['busy'],
})

export const listRelatedNotes = define('GET', '/api/notes/:id/related', {
  summary: 'List related notes',
  params: noteParams,
  responses: { 200: search.relatedNotes },
  errorCodes: ['note_not_found', 'busy'],
})
