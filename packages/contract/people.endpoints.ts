import { endpointsOf } from './endpoint.ts'
import { person, personParams } from './people.ts'
import { notePage, noteQuery } from './search.ts'

const define = endpointsOf('people')

const onlyNamed =
  'A user without notes under their name is answered like one that does not exist, also to the user themselves.'

export const getPerson = define('GET', '/api/people/:id', {
  summary: 'Get an author',
  description: onlyNamed,
  params: personParams,
  responses: { 200: person },
  errorCodes: ['person_not_found'],
})

export const listPersonNotes = define('GET', '/api/people/:id/notes', {
  summary: 'List the notes of an author',
  description: onlyNamed,
  params: personParams,
  query: noteQuery,
  responses: { 200: notePage },
  errorCodes: ['person_not_found', 'busy'],
})
