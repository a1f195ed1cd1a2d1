import { endpointsOf } from './endpoint.ts'
import * as notes from './notes.ts'

const define = endpointsOf('notes')

export const uploadNotes = define('POST', '/api/notes', {
  summary: 'Upload notes',
  description:
    'A multipart form with the details of the notes, `isAnonymous` (`true` or `false`) ' +
    `and at least one PDF as \`${notes.uploadFileField}\`. Either all files are stored or none. A single file can have a \`title\` and, if anonymous, \`hiddenNamePages\`. ` +
    'With a `batch` (a UUID) and a `position` that are used for one upload alone, the request can be repeated for a day: ' +
    'files that were shared already are answered, and not shared again.',
  multipart: { fields: notes.uploadFields, files: notes.uploadFileField },
  responses: { 201: notes.notesResponse },
  errorCodes: [
    'upload_without_file',
    'upload_limit',
    'upload_not_pdf',
    'upload_too_large',
    'too_many_uploads',
    'daily_upload_limit',
    'upload_over_daily_limit',
    'upload_key_used',
    'upload_locked',
    'upload_too_complex',
    'upload_infected',
    'upload_unscannable',
    'cannot_anonymise',
    'busy',
    'scanner_away',
  ],
})

export const settleUpload = define('POST', '/api/users/me/uploads/settle', {
  whileFull: true,
  summary: 'Find out whether a file was shared',
  description:
    'Answers the note of a file that was uploaded with this `batch` and `position`. Without one, it refuses the file from then on.',
  body: notes.batchFile,
  responses: { 200: notes.sameFile },
})

export const getNote = define('GET', '/api/notes/:id', {
  summary: 'Get a note',
  description: 'Its owner and moderators get its `version` as an ETag. It changes with every edit, but not with likes.',
  params: notes.noteParams,
  responses: { 200: notes.note },
  errorCodes: ['note_not_found'],
})

export const getNotes = define('GET', '/api/notes/by-id', {
  summary: 'Get several notes by id',
  description: 'In the order of the ids. Leaves out notes that do not exist.',
  query: notes.notesQuery,
  responses: { 200: notes.notesResponse },
})

const file = 'application/pdf'

export const viewNote = define('GET', '/api/notes/:id/view', {
  summary: 'Get the PDF of a note',
  description: 'With an ETag and byte ranges.',
  params: notes.noteParams,
  responses: {
    200: { file, description: 'The whole file' },
    206: { file, description: 'The requested range' },
    302: {
      empty: true,
      description: 'The file is at this address for five minutes, if the operator lets the storage send files',
    },
    304: { empty: true, description: 'The client has this file already' },
    416: { empty: true, description: 'The file has no such range' },
  },
  errorCodes: ['note_not_found'],
})

export const editNote = define('PATCH', '/api/users/me/notes/:id', {
  summary: 'Edit one of my notes',
  description:
    'Replaces its details. With If-Match and the ETag of the note as it was read, nothing that was edited meanwhile is lost.',
  params: notes.noteParams,
  body: notes.noteEdit,
  ifMatch: true,
  responses: { 200: notes.note },
  errorCodes: ['note_not_found', 'cannot_anonymise', 'upload_too_complex', 'file_missing', 'busy'],
})

export const changeNote = define('PATCH', '/api/users/me/notes/:id/details', {
  summary: 'Change some details of one of my notes',
  description:
    'Details that are left out stay as they are at that moment, even if another request changes them meanwhile. Optional details that are null or blank are removed.',
  params: notes.noteParams,
  body: notes.noteChange,
  ifMatch: true,
  responses: { 200: notes.note },
  errorCodes: ['note_not_found', 'cannot_anonymise', 'upload_too_complex', 'file_missing', 'busy'],
})

export const findSameFile = define('GET', '/api/users/me/notes/same-file', {
  summary: 'Find my newest note with the same file',
  description: 'Reveals nothing about notes of others.',
  query: notes.sameFileQuery,
  responses: { 200: notes.sameFile },
})

export const deleteNote = define('DELETE', '/api/users/me/notes/:id', {
  summary: 'Delete one of my notes',
  params: notes.noteParams,
  responses: { 204: { empty: true, description: 'The note is deleted' } },
  errorCodes: ['note_not_found'],
})
