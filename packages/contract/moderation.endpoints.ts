import { endpointsOf } from './endpoint.ts'
import * as moderation from './moderation.ts'
import { noteParams } from './notes.ts'

const define = endpointsOf('moderation')

export const getModerationQueue = define('GET', '/api/moderation/queue', {
  summary: 'List open moderation cases, oldest first',
  description: 'Leaves out cases of the moderator’s own notes.',
  role: 'moderator',
  responses: { 200: moderation.queue },
})

export const countPendingCases = define('GET', '/api/moderation/waiting', {
  summary: 'Count open moderation cases',
  description: 'Leaves out cases of the moderator’s own notes, and those that wait for an author’s answer.',
  role: 'moderator',
  responses: { 200: moderation.pendingCases },
})

export const getModerationCase = define('GET', '/api/moderation/notes/:id', {
  summary: 'Get the moderation case of a note',
  description: 'Also of a note that needs no decision.',
  role: 'moderator',
  params: noteParams,
  responses: { 200: moderation.moderationCase },
  errorCodes: ['note_not_found', 'own_note_decision'],
})

export const listHiddenNotes = define('GET', '/api/moderation/hidden', {
  summary: 'List hidden notes',
  role: 'moderator',
  query: moderation.hiddenQuery,
  responses: { 200: moderation.hiddenNotes },
})

export const decideOnNote = define('POST', '/api/moderation/notes/:id/decisions', {
  whileFull: true,
  summary: 'Decide on a note',
  description:
    'A reported note is kept, corrected or hidden. What a correction leaves out stays as it is. A hidden note is restored, or stays hidden after an objection. With `reportsRead`, nothing is decided while there are more reports than that; 0 hides a note without reports. All members can read the rule and the reason. If-Match takes the `version` of the note.',
  role: 'moderator',
  params: noteParams,
  body: moderation.newDecision,
  ifMatch: true,
  responses: { 204: { empty: true, description: 'The decision is in effect' } },
  errorCodes: ['note_not_found', 'own_note_decision', 'nothing_to_decide', 'new_reports'],
})

export const askAuthor = define('POST', '/api/moderation/notes/:id/question', {
  summary: 'Ask the author of a reported note a question',
  description:
    'The author is notified by mail, and stays unknown if the note is anonymous. Another question has to wait for the answer.',
  role: 'moderator',
  params: noteParams,
  body: moderation.statementBody,
  responses: { 204: { empty: true, description: 'The author is asked' } },
  errorCodes: ['note_not_found', 'own_note_decision', 'nothing_to_decide', 'question_open', 'too_many_questions'],
})

export const listOwnModerationCases = define('GET', '/api/users/me/moderation', {
  summary: 'List my notes that are hidden or that moderators ask about',
  responses: { 200: moderation.ownModerationCases },
})

export const answerModeratorQuestion = define('POST', '/api/users/me/notes/:id/answer', {
  summary: 'Answer a question of the moderators about my note',
  params: noteParams,
  body: moderation.answerBody,
  responses: { 204: { empty: true, description: 'The moderators can read the answer' } },
  errorCodes: ['note_not_found', 'not_asked', 'question_replaced'],
})

export const submitObjection = define('POST', '/api/users/me/notes/:id/objection', {
  summary: 'Object to the hiding of my note',
  description: 'Possible once.',
  params: noteParams,
  body: moderation.statementBody,
  responses: { 204: { empty: true, description: 'The moderators will decide again' } },
  errorCodes: ['note_not_found', 'nothing_to_object'],
})

export const listDecisions = define('GET', '/api/decisions', {
  summary: 'List the decisions of moderators',
  description: 'For all members. Names neither the moderator nor the note, its author or its reporters.',
  query: moderation.decisionsQuery,
  responses: { 200: moderation.decisionPage },
})
