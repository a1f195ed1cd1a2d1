import { z } from 'zod'
import { note, noteEdit, noteParams, uploadAnswer, uploadFields, uploadFileField } from '../../contract/notes.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { givenUpSignal } from '../http/given-up.ts'
import { binary } from '../http/openapi.ts'
import { refusals } from '../http/schemas.ts'
import { deleteNote, editNote } from './notes.ts'
import { uploadNotes } from './upload.ts'
import { sendNoteFile } from './view.ts'

const uploadForm = z.object({ ...uploadFields.shape, [uploadFileField]: z.array(binary).describe('The PDFs') })
const pdf = (description: string) => ({ description, content: { 'application/pdf': { schema: binary } } })
const empty = (description: string) => z.null().describe(description)

export function noteRoutes(app: App, deps: Deps): void {
  const { requireUser } = deps

  app.post(
    '/api/notes',
    {
      onRequest: requireUser,
      config: { form: uploadForm },
      schema: {
        tags: ['notes'],
        summary: 'Upload notes',
        description:
          `A multipart form: \`courseCode\`, \`academicYear\`, \`instructor\` (optional), \`isAnonymous\` (\`true\` or \`false\`) ` +
          `and one PDF or more as \`${uploadFileField}\`. All of them are kept or none.`,
        consumes: ['multipart/form-data'],
        response: {
          201: uploadAnswer,
          ...refusals(
            'invalid_input',
            'unauthorized',
            'upload_without_file',
            'upload_limit',
            'upload_not_pdf',
            'upload_too_large',
            'too_many_uploads',
            'daily_upload_limit',
            'cannot_anonymise',
            'malformed_request',
            'body_too_large',
            'unsupported_media_type',
            'busy',
            'unavailable',
          ),
        },
      },
    },
    async (request, reply) =>
      reply.status(201).send({ notes: await uploadNotes(deps, request.userId, request, reply) }),
  )

  app.get(
    '/api/notes/:id/view',
    {
      onRequest: requireUser,
      schema: {
        tags: ['notes'],
        summary: 'Read a note’s PDF',
        description: 'Answers `application/pdf`, with an ETag and byte ranges.',
        params: noteParams,
        response: {
          200: pdf('The whole file'),
          206: pdf('The range asked for'),
          304: empty('You hold this file already'),
          416: empty('The file has no such range'),
          ...refusals('invalid_input', 'unauthorized', 'note_not_found'),
        },
      },
    },
    (request, reply) => sendNoteFile(deps, request.userId, request.params.id, request, reply),
  )

  app.patch(
    '/api/users/me/notes/:id',
    {
      onRequest: requireUser,
      schema: {
        tags: ['notes'],
        summary: 'Edit a note of mine',
        params: noteParams,
        body: noteEdit,
        response: {
          200: note,
          ...refusals('invalid_input', 'unauthorized', 'note_not_found', 'cannot_anonymise', 'file_missing', 'busy'),
        },
      },
    },
    (request, reply) => editNote(deps, request.userId, request.params.id, request.body, givenUpSignal(reply)),
  )

  app.delete(
    '/api/users/me/notes/:id',
    {
      onRequest: requireUser,
      schema: {
        tags: ['notes'],
        summary: 'Delete a note of mine',
        params: noteParams,
        response: { 204: z.null(), ...refusals('invalid_input', 'unauthorized', 'note_not_found') },
      },
    },
    async (request, reply) => {
      await deleteNote(deps, request.userId, request.params.id)
      return reply.status(204).send(null)
    },
  )
}
