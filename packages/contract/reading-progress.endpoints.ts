import { defineEndpoint } from './endpoint.ts'
import { noteParams } from './notes.ts'
import { notesInProgress, ocrText, ocrTextQuery, readingPosition } from './reading-progress.ts'

export const getReadingPosition = defineEndpoint({
  method: 'GET',
  path: '/api/notes/:id/reading',
  tag: 'notes',
  summary: 'Get my reading position in a note',
  description: 'Page 1 if I never opened the note in the reader.',
  params: noteParams,
  responses: { 200: readingPosition },
  errorCodes: ['note_not_found'],
})

export const saveReadingPosition = defineEndpoint({
  method: 'PATCH',
  path: '/api/notes/:id/reading',
  tag: 'notes',
  summary: 'Save my reading position in a note',
  description: 'A page after the last one is saved as the last one. The response has the saved page.',
  params: noteParams,
  body: readingPosition,
  responses: { 200: readingPosition },
  errorCodes: ['note_not_found'],
})

export const listNotesInProgress = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/reading',
  tag: 'notes',
  summary: 'List the notes I have not finished reading',
  description: 'The last read first, each with my reading position.',
  responses: { 200: notesInProgress },
})

export const dismissNoteInProgress = defineEndpoint({
  method: 'DELETE',
  path: '/api/users/me/reading/:id',
  tag: 'notes',
  summary: 'Remove a note from the notes I have not finished reading',
  description: 'The reading position is kept. The note is listed again when I read on.',
  params: noteParams,
  responses: { 204: { empty: true, description: 'The note is not listed' } },
  errorCodes: ['note_not_found'],
})

export const getOcrText = defineEndpoint({
  method: 'GET',
  path: '/api/notes/:id/recognised-text',
  tag: 'notes',
  summary: 'Get the OCR text of a page',
  description: 'Has no words for a page that contains text, and until the page is recognised.',
  params: noteParams,
  query: ocrTextQuery,
  responses: { 200: ocrText },
  errorCodes: ['note_not_found'],
})
