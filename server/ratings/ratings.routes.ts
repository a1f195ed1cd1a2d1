import { noteParams } from '../../contract/notes.ts'
import { ratingAnswer, ratingChange } from '../../contract/ratings.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { refusals } from '../http/schemas.ts'
import { getUserRatings, rateNote } from './ratings.ts'

export function ratingRoutes(app: App, { db, requireUser }: Deps): void {
  app.patch(
    '/api/notes/:id/rating',
    {
      onRequest: requireUser,
      schema: {
        tags: ['ratings'],
        summary: 'Like or dislike a note, or take that back',
        params: noteParams,
        body: ratingChange,
        response: {
          200: ratingAnswer,
          ...refusals('invalid_input', 'unauthorized', 'own_note_rating', 'note_not_found'),
        },
      },
    },
    async (request) => {
      const counts = await rateNote(db, request.userId, request.params.id, request.body)
      return { ...counts, user: await getUserRatings(db, request.userId) }
    },
  )
}
