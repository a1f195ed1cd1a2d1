import { defineEndpoint } from './endpoint.ts'
import {
  answerBody,
  decisionPage,
  decisionsQuery,
  hiddenNotes,
  hiddenQuery,
  matter,
  newDecision,
  ownMatters,
  queue,
  statementBody,
  waiting,
} from './moderation.ts'
import { noteParams } from './notes.ts'

export const getModerationQueue = defineEndpoint({
  method: 'GET',
  path: '/api/moderation/queue',
  tag: 'moderation',
  summary: 'What waits for a decision, oldest first',
  description: 'For moderators. Notes of one’s own are left out: somebody else decides on them.',
  role: 'moderator',
  answers: { 200: queue },
})

export const countPendingCases = defineEndpoint({
  method: 'GET',
  path: '/api/moderation/waiting',
  tag: 'moderation',
  summary: 'How much waits for a decision',
  description: 'For moderators. Without notes of one’s own, and without those whose authors have to answer first.',
  role: 'moderator',
  answers: { 200: waiting },
})

export const getModerationCase = defineEndpoint({
  method: 'GET',
  path: '/api/moderation/notes/:id',
  tag: 'moderation',
  summary: 'A note with what is said about it, whether something waits or not',
  description: 'For moderators.',
  role: 'moderator',
  params: noteParams,
  answers: { 200: matter },
  refusals: ['invalid_input', 'note_not_found', 'own_note_decision'],
})

export const listHiddenNotes = defineEndpoint({
  method: 'GET',
  path: '/api/moderation/hidden',
  tag: 'moderation',
  summary: 'The notes that are hidden, page by page',
  description: 'For moderators.',
  role: 'moderator',
  query: hiddenQuery,
  answers: { 200: hiddenNotes },
  refusals: ['invalid_input'],
})

export const decideOnNote = defineEndpoint({
  method: 'POST',
  path: '/api/moderation/notes/:id/decisions',
  tag: 'moderation',
  summary: 'Decide on a note',
  description:
    'For moderators. A note that was reported is kept, corrected or hidden; one that is hidden is restored, or stays ' +
    'hidden where its author objected. `withoutReport` hides one that nobody has reported. All members can read the rule ' +
    'and the reason.',
  role: 'moderator',
  params: noteParams,
  body: newDecision,
  answers: { 204: { empty: true, meaning: 'It is decided' } },
  refusals: ['invalid_input', 'note_not_found', 'own_note_decision', 'nothing_to_decide'],
})

export const askAuthor = defineEndpoint({
  method: 'POST',
  path: '/api/moderation/notes/:id/question',
  tag: 'moderation',
  summary: 'Ask the author of a note that was reported',
  description:
    'For moderators. The author is mailed, and stays unknown where the note is anonymous. The next question waits for ' +
    'the answer.',
  role: 'moderator',
  params: noteParams,
  body: statementBody,
  answers: { 204: { empty: true, meaning: 'The author is asked' } },
  refusals: [
    'invalid_input',
    'note_not_found',
    'own_note_decision',
    'nothing_to_decide',
    'question_open',
    'too_many_questions',
  ],
})

export const listOwnModerationCases = defineEndpoint({
  method: 'GET',
  path: '/api/users/me/moderation',
  tag: 'moderation',
  summary: 'Notes of mine that are hidden, or that moderators ask about',
  answers: { 200: ownMatters },
})

export const answerModeratorQuestion = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/notes/:id/answer',
  tag: 'moderation',
  summary: 'Answer what moderators ask about a note of mine',
  params: noteParams,
  body: answerBody,
  answers: { 204: { empty: true, meaning: 'The moderators will read it' } },
  refusals: ['invalid_input', 'note_not_found', 'not_asked', 'question_replaced'],
})

export const submitObjection = defineEndpoint({
  method: 'POST',
  path: '/api/users/me/notes/:id/objection',
  tag: 'moderation',
  summary: 'Object to a note of mine being hidden',
  description: 'Once.',
  params: noteParams,
  body: statementBody,
  answers: { 204: { empty: true, meaning: 'The moderators will decide again' } },
  refusals: ['invalid_input', 'note_not_found', 'nothing_to_object'],
})

export const listDecisions = defineEndpoint({
  method: 'GET',
  path: '/api/decisions',
  tag: 'moderation',
  summary: 'What moderators decided, and why',
  description: 'For all members. Neither who decided nor on which note, nor who reported or wrote it.',
  query: decisionsQuery,
  answers: { 200: decisionPage },
  refusals: ['invalid_input'],
})
