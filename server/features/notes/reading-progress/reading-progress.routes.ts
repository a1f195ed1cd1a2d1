import * as endpoints from '../../../../packages/contract/reading-progress.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { serve } from '../../../platform/http/endpoints.ts'
import { getPosition, listContinued, savePosition, setAside } from './reading-progress.ts'

export function readingRoutes(app: App, { db }: Deps): void {
  serve(app, endpoints.getReadingPosition, ({ viewer, params }) => getPosition(db, viewer, params.id))

  serve(app, endpoints.saveReadingPosition, ({ viewer, params, body }) => savePosition(db, viewer, params.id, body))

  serve(app, endpoints.listNotesInProgress, async ({ viewer }) => ({ reading: await listContinued(db, viewer) }))

  serve(app, endpoints.dismissNoteInProgress, async ({ viewer, params }) => {
    await setAside(db, viewer, params.id)
    return null
  })
}
