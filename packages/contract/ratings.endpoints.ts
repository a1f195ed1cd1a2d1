import { endpointsOf } from './endpoint.ts'
import { noteParams } from './notes.ts'
import { ratingChange, ratingResponse } from './ratings.ts'

const define = endpointsOf('ratings')

export const changeRating = define('PATCH', '/api/notes/:id/rating', {
  summary: 'Like or dislike a note, or undo it',
  params: noteParams,
  body: ratingChange,
  responses: { 200: ratingResponse },
  errorCodes: ['own_note_rating', 'note_not_found'],
})
