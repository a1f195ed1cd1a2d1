import { getReadingPosition, saveReadingPosition } from '../../contract/reading.endpoints.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { serve } from '../http/endpoints.ts'
import { getPosition, savePosition } from './reading.ts'

export function readingRoutes(app: App, { db }: Deps): void {
  serve(app, getReadingPosition, ({ viewer, params }) => getPosition(db, viewer, params.id))

  serve(app, saveReadingPosition, ({ viewer, params, body }) => savePosition(db, viewer, params.id, body))
}
