import { endpointsOf } from './endpoint.ts'
import * as members from './members.ts'
import { decisionsQuery } from './moderation.ts'
import { noteParams } from './notes.ts'

const define = endpointsOf('administration')

export const listMembers = define('GET', '/api/admin/members', {
  summary: 'Find accounts by name or email',
  description:
    'By email. Without a text, accounts that have a role, their own quota or a suspension of the account itself.',
  role: 'admin',
  query: members.membersQuery,
  responses: { 200: members.memberList },
})

export const changeRole = define('PATCH', '/api/admin/members/:id/role', {
  whileFull: true,
  summary: 'Change the role of an account',
  description: 'Takes effect on all servers immediately.',
  role: 'admin',
  params: members.memberParams,
  body: members.roleChange,
  responses: { 204: { empty: true, description: 'The account has the role' } },
  errorCodes: ['member_not_found', 'own_account'],
})

export const suspendMember = define('POST', '/api/admin/members/:id/suspension', {
  whileFull: true,
  summary: 'Suspend an account',
  description:
    'Ends its sessions immediately. Hides the notes under its name if asked to, and never its anonymous notes. Replaces an existing suspension.',
  role: 'admin',
  params: members.memberParams,
  body: members.newSuspension,
  responses: { 204: { empty: true, description: 'The account is suspended, and its owner is notified by mail' } },
  errorCodes: ['member_not_found', 'own_account'],
})

export const liftSuspension = define('DELETE', '/api/admin/members/:id/suspension', {
  summary: 'Lift the suspension of an account',
  description: 'Restores the notes that the suspension hid.',
  role: 'admin',
  params: members.memberParams,
  responses: { 204: { empty: true, description: 'The suspension is lifted' } },
  errorCodes: ['member_not_found', 'not_suspended'],
})

export const changeQuota = define('PATCH', '/api/admin/members/:id/quota', {
  whileFull: true,
  summary: 'Set the upload quota of an account',
  description: 'The limit of the environment stays the maximum.',
  role: 'admin',
  params: members.memberParams,
  body: members.quotaChange,
  responses: { 204: { empty: true, description: 'The quota is set' } },
  errorCodes: ['member_not_found'],
})

export const listNoteAuthorSuspensions = define('GET', '/api/admin/note-suspensions', {
  summary: 'List the suspensions of authors of anonymous notes',
  description: 'Does not include the authors.',
  role: 'admin',
  responses: { 200: members.noteSuspensions },
})

export const suspendNoteAuthor = define('POST', '/api/admin/notes/:id/suspension', {
  whileFull: true,
  summary: 'Suspend the author of an anonymous note',
  description: 'Does not reveal the author, and hides nothing.',
  role: 'admin',
  params: noteParams,
  body: members.newNoteSuspension,
  responses: { 204: { empty: true, description: 'The author is suspended, and notified by mail' } },
  errorCodes: ['note_not_found', 'own_account', 'note_not_anonymous'],
})

export const liftNoteAuthorSuspension = define('DELETE', '/api/admin/notes/:id/suspension', {
  summary: 'Lift the suspension of the author of an anonymous note',
  role: 'admin',
  params: noteParams,
  responses: { 204: { empty: true, description: 'The suspension is lifted' } },
  errorCodes: ['not_suspended'],
})

export const listAudit = define('GET', '/api/admin/audit', {
  summary: 'List the audit log, newest first',
  description: 'Changes of roles and instance settings, and decisions on notes. Entries cannot be edited.',
  role: 'admin',
  query: decisionsQuery,
  responses: { 200: members.auditPage },
})
