import { defineEndpoint } from './endpoint.ts'
import { noteParams } from './notes.ts'
import { ratingAnswer, ratingChange } from './ratings.ts'

export const changeRating = defineEndpoint({
  method: 'PATCH',
  path: '/api/notes/:id/rating',
  tag: 'ratings',
  summary: 'Like or dislike a note, or undo it',
  params: noteParams,
  body: ratingChange,
  answers: { 200: ratingAnswer },
  refusals: ['invalid_input', 'own_note_rating', 'note_not_found'],
})
