import { defineEndpoint } from './endpoint.ts'
import { person, personParams } from './people.ts'
import { notePage, noteQuery } from './search.ts'

const sayingNothing =
  'Somebody who shares nothing by name is answered like somebody who does not exist, to themself too.'

export const getPerson = defineEndpoint({
  method: 'GET',
  path: '/api/people/:id',
  tag: 'people',
  summary: 'Somebody who shares notes by name',
  description: sayingNothing,
  params: personParams,
  answers: { 200: person },
  refusals: ['invalid_input', 'person_not_found'],
})

export const listPersonNotes = defineEndpoint({
  method: 'GET',
  path: '/api/people/:id/notes',
  tag: 'people',
  summary: 'Browse and search what somebody shares by name',
  description: sayingNothing,
  params: personParams,
  query: noteQuery,
  answers: { 200: notePage },
  refusals: ['invalid_input', 'person_not_found', 'busy'],
})
