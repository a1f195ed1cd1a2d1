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
  summary: 'Find accounts by name or email',
  description:
    'For admins, by email. Without a text, accounts that have a role, their own quota or a suspension of the account itself.',
  role: 'admin',
  query: membersQuery,
  responses: { 200: memberList },
})

export const changeRole = defineEndpoint({
  method: 'PATCH',
  path: '/api/admin/members/:id/role',
  whileFull: true,
  tag: 'administration',
  summary: 'Change the role of an account',
  description: 'For admins. Takes effect on all servers immediately.',
  role: 'admin',
  params: memberParams,
  body: roleChange,
  responses: { 204: { empty: true, description: 'The account has the role' } },
  errorCodes: ['member_not_found', 'own_account'],
})

export const suspendMember = defineEndpoint({
  method: 'POST',
  path: '/api/admin/members/:id/suspension',
  whileFull: true,
  tag: 'administration',
  summary: 'Suspend an account',
  description:
    'For admins. Ends its sessions immediately. Hides the notes under its name if asked to, and never its anonymous notes. Replaces an existing suspension.',
  role: 'admin',
  params: memberParams,
  body: newSuspension,
  responses: { 204: { empty: true, description: 'The account is suspended, and its owner is notified by mail' } },
  errorCodes: ['member_not_found', 'own_account'],
})

export const liftSuspension = defineEndpoint({
  method: 'DELETE',
  path: '/api/admin/members/:id/suspension',
  tag: 'administration',
  summary: 'Lift the suspension of an account',
  description: 'For admins. Restores the notes that the suspension hid.',
  role: 'admin',
  params: memberParams,
  responses: { 204: { empty: true, description: 'The suspension is lifted' } },
  errorCodes: ['member_not_found', 'not_suspended'],
})

export const changeQuota = defineEndpoint({
  method: 'PATCH',
  path: '/api/admin/members/:id/quota',
  whileFull: true,
  tag: 'administration',
  summary: 'Set the upload quota of an account',
  description: 'For admins. The limit of the environment stays the maximum.',
  role: 'admin',
  params: memberParams,
  body: quotaChange,
  responses: { 204: { empty: true, description: 'The quota is set' } },
  errorCodes: ['member_not_found'],
})

export const listNoteAuthorSuspensions = defineEndpoint({
  method: 'GET',
  path: '/api/admin/note-suspensions',
  tag: 'administration',
  summary: 'List the suspensions of authors of anonymous notes',
  description: 'For admins. Does not include the authors.',
  role: 'admin',
  responses: { 200: noteSuspensions },
})

export const suspendNoteAuthor = defineEndpoint({
  method: 'POST',
  path: '/api/admin/notes/:id/suspension',
  whileFull: true,
  tag: 'administration',
  summary: 'Suspend the author of an anonymous note',
  description: 'For admins. Does not reveal the author, and hides nothing.',
  role: 'admin',
  params: noteParams,
  body: newNoteSuspension,
  responses: { 204: { empty: true, description: 'The author is suspended, and notified by mail' } },
  errorCodes: ['note_not_found', 'own_account', 'note_not_anonymous'],
})

export const liftNoteAuthorSuspension = defineEndpoint({
  method: 'DELETE',
  path: '/api/admin/notes/:id/suspension',
  tag: 'administration',
  summary: 'Lift the suspension of the author of an anonymous note',
  description: 'For admins.',
  role: 'admin',
  params: noteParams,
  responses: { 204: { empty: true, description: 'The suspension is lifted' } },
  errorCodes: ['not_suspended'],
})

export const listAudit = defineEndpoint({
  method: 'GET',
  path: '/api/admin/audit',
  tag: 'administration',
  summary: 'List the audit log, newest first',
  description: 'For admins. Changes of roles and instance settings, and decisions on notes. Entries cannot be edited.',
  role: 'admin',
  query: decisionsQuery,
  responses: { 200: auditPage },
})
