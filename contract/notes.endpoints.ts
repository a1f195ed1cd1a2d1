import { defineEndpoint } from './endpoint.ts'
import {
  note,
  noteChange,
  noteEdit,
  noteParams,
  notesAnswer,
  notesQuery,
  sameFile,
  sameFileQuery,
  uploadFields,
  uploadFileField,
} from './notes.ts'

export const uploadNotes = defineEndpoint({
  method: 'POST',
  path: '/api/notes',
  tag: 'notes',
  summary: 'Upload notes',
  description:
    'A multipart form: `courseCode`, `academicYear`, `instructor` (optional), `isAnonymous` (`true` or `false`) ' +
    `and one PDF or more as \`${uploadFileField}\`. All of them are kept or none. A single one may come with a \`title\`.`,
  form: { fields: uploadFields, files: uploadFileField },
  answers: { 201: notesAnswer },
  refusals: [
    'invalid_input',
    'upload_without_file',
    'upload_limit',
    'upload_not_pdf',
    'upload_too_large',
    'too_many_uploads',
    'daily_upload_limit',
    'upload_locked',
    'upload_infected',
    'upload_unscannable',
    'cannot_anonymise',
    'busy',
    'scanner_away',
  ],
})

export const getNote = defineEndpoint({
  method: 'GET',
  path: '/api/notes/:id',
  tag: 'notes',
  summary: 'One note',
  params: noteParams,
  answers: { 200: note },
  refusals: ['invalid_input', 'note_not_found'],
})

export const getNotes = defineEndpoint({
  method: 'GET',
  path: '/api/notes/by-id',
  tag: 'notes',
  summary: 'Several notes, by their ids',
  description: 'In the order asked for. Notes that are gone are left out.',
  query: notesQuery,
  answers: { 200: notesAnswer },
  refusals: ['invalid_input'],
})

const file = 'application/pdf'

export const viewNote = defineEndpoint({
  method: 'GET',
  path: '/api/notes/:id/view',
  tag: 'notes',
  summary: 'Read a note’s PDF',
  description: 'Answers `application/pdf`, with an ETag and byte ranges.',
  params: noteParams,
  answers: {
    200: { file, meaning: 'The whole file' },
    206: { file, meaning: 'The range asked for' },
    302: {
      empty: true,
      meaning: 'It is at this address for five minutes, where the operator lets the store send files',
    },
    304: { empty: true, meaning: 'You hold this file already' },
    416: { empty: true, meaning: 'The file has no such range' },
  },
  refusals: ['invalid_input', 'note_not_found'],
})

export const editNote = defineEndpoint({
  method: 'PATCH',
  path: '/api/users/me/notes/:id',
  tag: 'notes',
  summary: 'Edit a note of mine',
  params: noteParams,
  body: noteEdit,
  answers: { 200: note },
  refusals: ['invalid_input', 'note_not_found', 'cannot_anonymise', 'file_missing', 'busy'],
})

export const changeNote = defineEndpoint({
  method: 'PATCH',
  path: '/api/users/me/notes/:id/details',
  tag: 'notes',
  summary: 'Change some details of a note of mine',
  description:
    'Details that are left out stay as they are at that moment, whoever changes them meanwhile. ' +
    'An instructor that is blank is removed.',
  params: noteParams,
  body: noteChange,
  answers: { 200: note },
  refusals: ['invalid_input', 'note_not_found', 'cannot_anonymise', 'file_missing', 'busy'],
})

export const findSameFile = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/notes/same-file',
  tag: 'notes',
  summary: 'The newest note of mine that was shared as this very file',
  description: 'Says nothing about notes of others.',
  query: sameFileQuery,
  answers: { 200: sameFile },
  refusals: ['invalid_input'],
})

export const deleteNote = defineEndpoint({
  method: 'DELETE',
  path: '/api/users/me/notes/:id',
  tag: 'notes',
  summary: 'Delete a note of mine',
  params: noteParams,
  answers: { 204: { empty: true, meaning: 'It is deleted' } },
  refusals: ['invalid_input', 'note_not_found'],
})
