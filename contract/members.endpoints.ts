import { defineEndpoint } from './endpoint.ts'
import {
  auditPage,
  memberList,
  memberParams,
  membersQuery,
  newNoteSuspension,
  newSuspension,
  noteSuspensions,
  quotaChange,
  roleChange,
} from './members.ts'
import { decisionsQuery } from './moderation.ts'
import { noteParams } from './notes.ts'

export const listMembers = defineEndpoint({
  method: 'GET',
  path: '/api/admin/members',
  tag: 'administration',
  summary: 'Find accounts by name or e-mail',
  description: 'For admins. Without a text those that have a role, a quota of their own or a suspension by name.',
  role: 'admin',
  query: membersQuery,
  answers: { 200: memberList },
  refusals: ['invalid_input'],
})

export const changeRole = defineEndpoint({
  method: 'PATCH',
  path: '/api/admin/members/:id/role',
  tag: 'administration',
  summary: 'Give an account another role',
  description: 'For admins. At once, on every server.',
  role: 'admin',
  params: memberParams,
  body: roleChange,
  answers: { 204: { empty: true, meaning: 'It has the role' } },
  refusals: ['invalid_input', 'member_not_found', 'own_account'],
})

export const suspendMember = defineEndpoint({
  method: 'POST',
  path: '/api/admin/members/:id/suspension',
  tag: 'administration',
  summary: 'Suspend an account',
  description:
    'For admins. Its sessions end at once. What it shares by name is hidden if so asked, and never what it shares without. ' +
    'A suspension that there is already is replaced.',
  role: 'admin',
  params: memberParams,
  body: newSuspension,
  answers: { 204: { empty: true, meaning: 'It is suspended, and its owner is mailed' } },
  refusals: ['invalid_input', 'member_not_found', 'own_account'],
})

export const liftSuspension = defineEndpoint({
  method: 'DELETE',
  path: '/api/admin/members/:id/suspension',
  tag: 'administration',
  summary: 'Lift the suspension of an account',
  description: 'For admins. Its notes are there again.',
  role: 'admin',
  params: memberParams,
  answers: { 204: { empty: true, meaning: 'It is lifted' } },
  refusals: ['member_not_found', 'not_suspended'],
})

export const changeQuota = defineEndpoint({
  method: 'PATCH',
  path: '/api/admin/members/:id/quota',
  tag: 'administration',
  summary: 'Say what one account may upload in 24 hours',
  description: 'For admins. What the environment sets stays the most.',
  role: 'admin',
  params: memberParams,
  body: quotaChange,
  answers: { 204: { empty: true, meaning: 'It may' } },
  refusals: ['invalid_input', 'member_not_found'],
})

export const listNoteAuthorSuspensions = defineEndpoint({
  method: 'GET',
  path: '/api/admin/note-suspensions',
  tag: 'administration',
  summary: 'The notes behind which an account is suspended',
  description: 'For admins. Whose they are is not told.',
  role: 'admin',
  answers: { 200: noteSuspensions },
})

export const suspendNoteAuthor = defineEndpoint({
  method: 'POST',
  path: '/api/admin/notes/:id/suspension',
  tag: 'administration',
  summary: 'Suspend the account behind an anonymous note',
  description: 'For admins, who do not learn whose it is. Nothing is hidden.',
  role: 'admin',
  params: noteParams,
  body: newNoteSuspension,
  answers: { 204: { empty: true, meaning: 'Whoever shared it is suspended, and mailed' } },
  refusals: ['invalid_input', 'note_not_found', 'own_account', 'note_not_anonymous'],
})

export const liftNoteAuthorSuspension = defineEndpoint({
  method: 'DELETE',
  path: '/api/admin/notes/:id/suspension',
  tag: 'administration',
  summary: 'Lift the suspension behind a note',
  description: 'For admins.',
  role: 'admin',
  params: noteParams,
  answers: { 204: { empty: true, meaning: 'It is lifted' } },
  refusals: ['not_suspended'],
})

export const listAudit = defineEndpoint({
  method: 'GET',
  path: '/api/admin/audit',
  tag: 'administration',
  summary: 'Who changed a role, decided on a note, or set something for everybody',
  description: 'For admins. The latest first; nobody edits it.',
  role: 'admin',
  query: decisionsQuery,
  answers: { 200: auditPage },
  refusals: ['invalid_input'],
})
