import { endpointsOf } from './endpoint.ts'
import { noteParams } from './notes.ts'
import { notesInProgress, ocrText, ocrTextQuery, readingPosition } from './reading-progress.ts'

const define = endpointsOf('notes')

export const getReadingPosition = define('GET', '/api/notes/:id/reading', {
  summary: 'Get my reading position in a note',
  description: 'Page 1 if I never opened the note in the reader.',
  params: noteParams,
  responses: { 200: readingPosition },
  errorCodes: ['note_not_found'],
})

export const saveReadingPosition = define('PATCH', '/api/notes/:id/reading', {
  summary: 'Save my reading position in a note',
  description: 'A page after the last one is saved as the last one. The response has the saved page.',
  params: noteParams,
  body: readingPosition,
  responses: { 200: readingPosition },
  errorCodes: ['note_not_found'],
})

export const listNotesInProgress = define('GET', '/api/users/me/reading', {
  summary: 'List the notes I have not finished reading',
  description: 'The last read first, each with my reading position.',
  responses: { 200: notesInProgress },
})

export const dismissNoteInProgress = define('DELETE', '/api/users/me/reading/:id', {
  summary: 'Remove a note from the notes I have not finished reading',
  description: 'The reading position is kept. The note is listed again when I read on.',
  params: noteParams,
  responses: { 204: { empty: true, description: 'The note is not listed' } },
  errorCodes: ['note_not_found'],
})

export const getOcrText = define('GET', '/api/notes/:id/recognised-text', {
  summary: 'Get the OCR text of a page',
  description: 'Has no words for a page that contains text, and until the page is recognised.',
  params: noteParams,
  query: ocrTextQuery,
  responses: { 200: ocrText },
  errorCodes: ['note_not_found'],
})
