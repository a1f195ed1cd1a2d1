import * as endpoints from '../../../../packages/contract/reading-progress.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { registerEndpoint } from '../../../platform/http/endpoints.ts'
import { dismiss, getPosition, listNotesInProgress, savePosition } from './reading-progress.ts'

export function readingProgressRoutes(app: App, { db }: Deps): void {
  registerEndpoint(app, endpoints.getReadingPosition, ({ viewer, params }) => getPosition(db, viewer, params.id))

  registerEndpoint(app, endpoints.saveReadingPosition, ({ viewer, params, body }) =>
    savePosition(db, viewer, params.id, body),
  )

  registerEndpoint(app, endpoints.listNotesInProgress, async ({ viewer }) => ({
    reading: await listNotesInProgress(db, viewer),
  }))

  registerEndpoint(app, endpoints.dismissNoteInProgress, async ({ viewer, params }) => {
    await dismiss(db, viewer, params.id)
    return null
  })
}
