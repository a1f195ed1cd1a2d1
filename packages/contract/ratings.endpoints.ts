import { defineEndpoint } from './endpoint.ts'
import { noteParams } from './notes.ts'
import { ratingChange, ratingResponse } from './ratings.ts'

export const changeRating = defineEndpoint({
  method: 'PATCH',
  path: '/api/notes/:id/rating',
  tag: 'ratings',
  summary: 'Like or dislike a note, or undo it',
  params: noteParams,
  body: ratingChange,
  responses: { 200: ratingResponse },
  errorCodes: ['own_note_rating', 'note_not_found'],
})
