import { defineEndpoint } from './endpoint.ts'
import { person, personParams } from './people.ts'
import { notePage, noteQuery } from './search.ts'

const onlyNamed =
  'A user without notes under their name is answered like one that does not exist, also to the user themselves.'

export const getPerson = defineEndpoint({
  method: 'GET',
  path: '/api/people/:id',
  tag: 'people',
  summary: 'Get an author',
  description: onlyNamed,
  params: personParams,
  responses: { 200: person },
  errorCodes: ['person_not_found'],
})

export const listPersonNotes = defineEndpoint({
  method: 'GET',
  path: '/api/people/:id/notes',
  tag: 'people',
  summary: 'List the notes of an author',
  description: onlyNamed,
  params: personParams,
  query: noteQuery,
  responses: { 200: notePage },
  errorCodes: ['person_not_found', 'busy'],
})
