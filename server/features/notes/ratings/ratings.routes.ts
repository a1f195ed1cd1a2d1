import { changeRating } from '../../../../packages/contract/ratings.endpoints.ts'
import type { Deps } from '../../../dependencies.ts'
import { type App, registerEndpoint } from '../../../platform/http/endpoints.ts'
import { getUserRatings, rateNote } from './ratings.ts'

export function ratingRoutes(app: App, { db }: Deps): void {
  registerEndpoint(app, changeRating, async ({ viewer, params, body }) => {
    const counts = await rateNote(db, viewer, params.id, body)
    return { ...counts, user: await getUserRatings(db, viewer) }
  })
}
