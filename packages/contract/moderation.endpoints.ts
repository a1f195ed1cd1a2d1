import { defineEndpoint } from './endpoint.ts'
import {
  answerBody,
  decisionPage,
  decisionsQuery,
  hiddenNotes,
  hiddenQuery,
  moderationCase,
  newDecision,
  ownModerationCases,
  pendingCases,
  queue,
  statementBody,
} from './moderation.ts'
import { noteParams } from './notes.ts'

export const getModerationQueue = defineEndpoint({
  method: 'GET',
  path: '/api/moderation/queue',
  tag: 'moderation',
  summary: 'List open moderation cases, oldest first',
  description: 'For moderators. Leaves out cases of the moderator’s own notes.',
  role: 'moderator',
  responses: { 200: queue },
})

export const countPendingCases = defineEndpoint({
  method: 'GET',
  path: '/api/moderation/waiting',
  tag: 'moderation',
  summary: 'Count open moderation cases',
  description:
    'For moderators. Leaves out cases of the moderator’s own notes, and those that wait for an author’s answer.',
  role: 'moderator',
  responses: { 200: pendingCases },
})

export const getModerationCase = defineEndpoint({
  method: 'GET',
  path: '/api/moderation/notes/:id',
  tag: 'moderation',
  summary: 'Get the moderation case of a note',
  description: 'For moderators. Also of a note that needs no decision.',
  role: 'moderator',
  params: noteParams,
  responses: { 200: moderationCase },
  errorCodes: ['note_not_found', 'own_note_decision'],
})

export const listHiddenNotes = defineEndpoint({
  method: 'GET',
  path: '/api/moderation/hidden',
  tag: 'moderation',
  summary: 'List hidden notes',
  description: 'For moderators.',
  role: 'moderator',
  query: hiddenQuery,
  responses: { 200: hiddenNotes },
})

export const decideOnNote = defineEndpoint({
  method: 'POST',
  path: '/api/moderation/notes/:id/decisions',
  whileFull: true,
  tag: 'moderation',
  summary: 'Decide on a note',
  description:
    'For moderators. A reported note is kept, corrected or hidden. What a correction leaves out stays as it is. A hidden note is restored, or stays hidden after an objection. `withoutReport` hides a note without reports. All members can read the rule and the reason. If-Match takes the `version` of the note.',
  role: 'moderator',
  params: noteParams,
  body: newDecision,
  ifMatch: true,
  responses: { 204: { empty: true, description: 'The decision is in effect' } },
  errorCodes: ['note_not_found', 'own_note_decision', 'nothing_to_decide'],
})

export const askAuthor = defineEndpoint({
  method: 'POST',
  path: '/api/moderation/notes/:id/question',
  tag: 'moderation',
  summary: 'Ask the author of a reported note a question',
  description:
    'For moderators. The author is notified by mail, and stays unknown if the note is anonymous. Another question has to wait for the answer.',
  role: 'moderator',
  params: noteParams,
  body: statementBody,
  responses: { 204: { empty: true, description: 'The author is asked' } },
  errorCodes: ['note_not_found', 'own_note_decision', 'nothing_to_decide', 'question_open', 'too_many_questions'],
})

export const listOwnModerationCases = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/moderation',
  tag: 'moderation',
  summary: 'List my notes that are hidden or that moderators ask about',
  responses: { 200: ownModerationCases },
})

export const answerModeratorQuestion = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/notes/:id/answer',
  tag: 'moderation',
  summary: 'Answer a question of the moderators about my note',
  params: noteParams,
  body: answerBody,
  responses: { 204: { empty: true, description: 'The moderators can read the answer' } },
  errorCodes: ['note_not_found', 'not_asked', 'question_replaced'],
})

export const submitObjection = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/notes/:id/objection',
  tag: 'moderation',
  summary: 'Object to the hiding of my note',
  description: 'Possible once.',
  params: noteParams,
  body: statementBody,
  responses: { 204: { empty: true, description: 'The moderators will decide again' } },
  errorCodes: ['note_not_found', 'nothing_to_object'],
})

export const listDecisions = defineEndpoint({
  method: 'GET',
  path: '/api/decisions',
  tag: 'moderation',
  summary: 'List the decisions of moderators',
  description: 'For all members. Names neither the moderator nor the note, its author or its reporters.',
  query: decisionsQuery,
  responses: { 200: decisionPage },
})
