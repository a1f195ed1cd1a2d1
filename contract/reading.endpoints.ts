import { defineEndpoint } from './endpoint.ts'
import { noteParams } from './notes.ts'
import { continuedNotes, readingPosition, recognisedQuery, recognisedText } from './reading.ts'

export const getReadingPosition = defineEndpoint({
  method: 'GET',
  path: '/api/notes/:id/reading',
  tag: 'notes',
  summary: 'Where I stopped reading a note',
  description: 'Page 1 of a note that was never opened in the reader.',
  params: noteParams,
  answers: { 200: readingPosition },
  refusals: ['invalid_input', 'note_not_found'],
})

export const saveReadingPosition = defineEndpoint({
  method: 'PATCH',
  path: '/api/notes/:id/reading',
  tag: 'notes',
  summary: 'Remember where I stopped reading a note',
  description: 'A page beyond the last one is the last one; the answer says which is remembered.',
  params: noteParams,
  body: readingPosition,
  answers: { 200: readingPosition },
  refusals: ['invalid_input', 'note_not_found'],
})

export const listNotesInProgress = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/reading',
  tag: 'notes',
  summary: 'The notes I have not finished reading',
  description: 'The last read come first, each with the page where I stopped.',
  answers: { 200: continuedNotes },
})

export const dismissNoteInProgress = defineEndpoint({
  method: 'DELETE',
  path: '/api/users/me/reading/:id',
  tag: 'notes',
  summary: 'Take a note off those I have not finished reading',
  description: 'The page is remembered all the same; when I read on, the note is listed again.',
  params: noteParams,
  answers: { 204: { empty: true, meaning: 'It is listed no more' } },
  refusals: ['invalid_input', 'note_not_found'],
})

export const getRecognisedText = defineEndpoint({
  method: 'GET',
  path: '/api/notes/:id/recognised-text',
  tag: 'notes',
  summary: 'The words on a page that is a picture',
  description: 'No words for a page that has text of its own, and until its picture has been read.',
  params: noteParams,
  query: recognisedQuery,
  answers: { 200: recognisedText },
  refusals: ['invalid_input', 'note_not_found'],
})
