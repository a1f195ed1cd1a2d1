import { buffer } from 'node:stream/consumers'
import { getThumbnail } from '../../../packages/contract/documents.endpoints.ts'
import * as endpoints from '../../../packages/contract/notes.endpoints.ts'
import { getOcrText } from '../../../packages/contract/reading-progress.endpoints.ts'
import type { Deps } from '../../dependencies.ts'
import { fail } from '../../platform/http/api-error.ts'
import { type App, registerEndpoint } from '../../platform/http/endpoints.ts'
import { findThumbnailFile } from './documents/documents.ts'
import { findOcrWords } from './documents/ocr.ts'
import { settleUpload, uploadNotes } from './upload.ts'

export function uploadRoutes(app: App, deps: Deps): void {
  const { readAnyway } = deps

  registerEndpoint(app, endpoints.uploadNotes, async (request, reply) => ({
    notes: await uploadNotes(deps, request.viewer, request, reply),
  }))

  registerEndpoint(app, endpoints.settleUpload, async ({ viewer, body }) => ({
    note: await settleUpload(deps.db, viewer, body),
  }))

  registerEndpoint(app, getThumbnail, async ({ params }, reply) => {
    const fileKey =
      (await readAnyway((db) => findThumbnailFile(db, params.key, params.file))) ?? fail('thumbnail_not_found')
    // The file is missing if its note was deleted in the meantime.
    const picture = (await deps.files.get(fileKey)) ?? fail('thumbnail_not_found')
    // A new thumbnail gets a new address, so the viewer's browser may cache this one; shared caches may not.
    reply.headers({ 'cache-control': 'private, max-age=31536000, immutable', 'content-type': 'image/webp' })
    return reply.send(await buffer(picture))
  })

  registerEndpoint(app, getOcrText, async ({ viewer, params, query }) => ({
    words: (await readAnyway((db) => findOcrWords(db, viewer, params.id, query.page))) ?? fail('note_not_found'),
  }))
}
