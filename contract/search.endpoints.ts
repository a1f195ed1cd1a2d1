import { defineEndpoint } from './endpoint.ts'
import { notePage, noteQuery } from './search.ts'

const list = {
  method: 'GET',
  tag: 'notes',
  query: noteQuery,
  answers: { 200: notePage },
  refusals: ['invalid_input', 'unauthorized', 'busy'],
} as const

export const listNotes = defineEndpoint({ ...list, path: '/api/notes', summary: 'Browse and search all notes' })

export const listMyNotes = defineEndpoint({
  ...list,
  path: '/api/users/me/notes',
  summary: 'Browse and search my notes',
})

export const listLikedNotes = defineEndpoint({
  ...list,
  path: '/api/users/me/notes/liked',
  summary: 'Browse and search the notes I like',
})
