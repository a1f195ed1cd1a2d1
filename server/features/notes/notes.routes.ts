import type { FastifyReply } from 'fastify'
import { getAuthorStats } from '../../../packages/contract/author-stats.endpoints.ts'
import * as endpoints from '../../../packages/contract/notes.endpoints.ts'
import type { Note } from '../../../packages/contract/notes.ts'
import { changeRating } from '../../../packages/contract/ratings.endpoints.ts'
import * as reading from '../../../packages/contract/reading-progress.endpoints.ts'
import type { Deps } from '../../dependencies.ts'
import { type App, registerEndpoint } from '../../platform/http/endpoints.ts'
import { createClientAbortSignal } from '../../platform/http/requests.ts'
import { withEtag } from '../../platform/http/versions.ts'
import { describeAuthorStats } from './author-stats/author-stats.ts'
import { changeNote, deleteNote, findSameFile, getNote } from './notes.ts'
import { asChange } from './properties.ts'
import { getUserRatings, rateNote } from './ratings/ratings.ts'
import { dismiss, getPosition, listNotesInProgress, savePosition } from './reading-progress/reading-progress.ts'
import { sendNoteFile } from './send-note-file.ts'
import { findNotesById } from './visible-notes.ts'

export function noteRoutes(app: App, deps: Deps): void {
  const tagged = (reply: FastifyReply, note: Note) => withEtag(reply, note, note.version)

  registerEndpoint(app, endpoints.getNote, async ({ viewer, params }, reply) =>
    tagged(reply, await deps.readAnyway((db) => getNote(db, viewer, params.id))),
  )

  registerEndpoint(app, endpoints.getNotes, async ({ viewer, query }) => ({
    notes: await deps.readAnyway((db) => findNotesById(db, viewer, query.ids)),
  }))

  registerEndpoint(app, endpoints.viewNote, (request, reply) =>
    sendNoteFile(deps, request.viewer, request.params.id, request, reply),
  )

  registerEndpoint(app, endpoints.findSameFile, async ({ viewer, query }) => ({
    note: await findSameFile(deps.db, viewer, query.sha256),
  }))

  registerEndpoint(app, endpoints.editNote, async ({ viewer, params, body, headers }, reply) => {
    const change = asChange(body)
    const only = { ifMatch: headers['if-match'] }
    return tagged(reply, await changeNote(deps, viewer, params.id, change, createClientAbortSignal(reply), only))
  })

  registerEndpoint(app, endpoints.changeNote, async ({ viewer, params, body, headers }, reply) => {
    const only = { ifMatch: headers['if-match'] }
    return tagged(reply, await changeNote(deps, viewer, params.id, body, createClientAbortSignal(reply), only))
  })

  registerEndpoint(app, endpoints.deleteNote, ({ viewer, params }) => deleteNote(deps, viewer, params.id))

  const { db } = deps

  registerEndpoint(app, getAuthorStats, ({ viewer }) => describeAuthorStats(db, viewer))

  registerEndpoint(app, reading.getReadingPosition, ({ viewer, params }) => getPosition(db, viewer, params.id))

  registerEndpoint(app, reading.saveReadingPosition, ({ viewer, params, body }) =>
    savePosition(db, viewer, params.id, body),
  )

  registerEndpoint(app, reading.listNotesInProgress, async ({ viewer }) => ({
    reading: await listNotesInProgress(db, viewer),
  }))

  registerEndpoint(app, reading.dismissNoteInProgress, ({ viewer, params }) => dismiss(db, viewer, params.id))

  registerEndpoint(app, changeRating, async ({ viewer, params, body }) => {
    const counts = await rateNote(db, viewer, params.id, body)
    return { ...counts, user: await getUserRatings(db, viewer) }
  })
}
