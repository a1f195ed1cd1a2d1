import * as endpoints from '../../contract/reading.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'
import { getPosition, listContinued, savePosition, setAside } from './reading.ts'

export function readingRoutes(app: App, { db }: Deps): void {
  serve(app, endpoints.getReadingPosition, ({ viewer, params }) => getPosition(db, viewer, params.id))

  serve(app, endpoints.saveReadingPosition, ({ viewer, params, body }) => savePosition(db, viewer, params.id, body))

  serve(app, endpoints.listNotesInProgress, async ({ viewer }) => ({ reading: await listContinued(db, viewer) }))

  serve(app, endpoints.dismissNoteInProgress, async ({ viewer, params }) => {
    await setAside(db, viewer, params.id)
    return null
  })
}
