import { endpointsOf } from './endpoint.ts'
import { noteParams } from './notes.ts'
import { report } from './reports.ts'

const define = endpointsOf('moderation')

export const reportNote = define('POST', '/api/notes/:id/reports', {
  summary: 'Report a note to the moderators',
  description:
    'A student can report a note again only after the moderators have decided on it. The reporter is not revealed to anyone.',
  params: noteParams,
  body: report,
  responses: { 204: { empty: true, description: 'The moderators will review the note' } },
  errorCodes: ['note_not_found', 'own_note_report', 'already_reported', 'too_many_reports'],
})
