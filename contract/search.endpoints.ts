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
  answers: { 200: notePage },
  refusals: ['invalid_input', 'busy'],
} as const

export const listNotes = defineEndpoint({ ...list, path: '/api/notes', summary: 'Browse and search all notes' })

export const listMyNotes = defineEndpoint({
  ...list,
  path: '/api/users/me/notes',
  query: ownNoteQuery,
  summary: 'Browse and search my notes',
})

export const listLikedNotes = defineEndpoint({
  ...list,
  path: '/api/users/me/notes/liked',
  summary: 'Browse and search the notes I like',
})

export const countNotes = defineEndpoint({
  method: 'GET',
  path: '/api/notes/count',
  tag: 'notes',
  summary: 'How many notes a list has',
  description: 'Counted as far as 1,000; `isAll` says whether there are more.',
  query: noteCountQuery,
  answers: { 200: noteCount },
  refusals: ['invalid_input', 'busy'],
})

export const searchNotes = defineEndpoint({
  method: 'GET',
  path: '/api/search',
  tag: 'notes',
  summary: 'Search inside the notes',
  query: searchQuery,
  answers: { 200: searchPage },
  refusals: ['invalid_input', 'busy'],
})

export const suggest = defineEndpoint({
  method: 'GET',
  path: '/api/suggestions',
  tag: 'notes',
  summary: 'Courses, titles and instructors there are, while one types',
  query: suggestionsQuery,
  answers: { 200: suggestions },
  refusals: ['invalid_input', 'busy'],
})

export const listRelatedNotes = defineEndpoint({
  method: 'GET',
  path: '/api/notes/:id/related',
  tag: 'notes',
  summary: 'Notes like this one',
  params: noteParams,
  answers: { 200: relatedNotes },
  refusals: ['invalid_input', 'note_not_found', 'busy'],
})
