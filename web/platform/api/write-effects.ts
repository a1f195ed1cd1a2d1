import type { QueryKey } from '@tanstack/react-query'
import type { Endpoint } from '../../../packages/contract/endpoint.ts'

/** The effect of a write on queries, by key prefix. Responses to requests sent before its end are dropped. */
type WriteEffect = {
  /** These are refetched. */
  outdated?: QueryKey[]
  /** The writing page updates these itself. */
  patched?: QueryKey[]
}

const none: WriteEffect = {}
const notesAndCourses: QueryKey[] = [
  ['courses'],
  ['note-count'],
  ['widening'],
  ['suggestions'],
  ['related'],
  ['author-cases'],
]
const uploaded: WriteEffect = { outdated: [['notes'], ...notesAndCourses] }
const edited: WriteEffect = { outdated: [['notes', 'filtered'], ['notes', 'grouped'], ...notesAndCourses] }
const followed: WriteEffect = {
  outdated: [
    ['courses', 'followed'],
    ['courses', 'new'],
  ],
  patched: [['courses']],
}
const administered: WriteEffect = { outdated: [['admin']] }
const moderated: WriteEffect = { outdated: [['moderation'], ['admin']] }
/** Notes disappear or return. */
const decided: WriteEffect = { outdated: [['moderation'], ['admin'], ['decisions'], ['notes'], ...notesAndCourses] }
const settings = (...names: string[]): WriteEffect => ({ outdated: names.map((name) => ['settings', name]) })

/** The effect of every endpoint that writes; a test fails if one is missing. */
export const writeEffects: Record<`${Endpoint['method']} ${Endpoint['path']}`, WriteEffect> = {
  'POST /api/notes': uploaded,
  'POST /api/users/me/uploads/settle': uploaded,
  'PATCH /api/users/me/notes/:id': edited,
  'PATCH /api/users/me/notes/:id/details': edited,
  'DELETE /api/users/me/notes/:id': {
    outdated: [...notesAndCourses, ['sharing'], ['continued']],
    patched: [['notes'], ['own-lists']],
  },
  'PATCH /api/notes/:id/rating': {
    outdated: [
      ['notes', 'plain', 'liked'],
      ['notes', 'filtered', 'liked'],
      ['note-count', { scope: 'liked' }],
    ],
  },
  'PATCH /api/notes/:id/reading': { outdated: [['continued']] },
  'DELETE /api/users/me/reading/:id': { patched: [['continued']] },
  'PATCH /api/users/me': { patched: [['own-lists']] },

  'POST /api/courses/:code/follow': followed,
  'DELETE /api/courses/:code/follow': followed,
  'PATCH /api/users/me/courses/mails': { patched: [['courses', 'followed']] },
  'POST /unsubscribe': { outdated: [['courses', 'followed']] },

  'POST /api/notes/:id/reports': { outdated: [['moderation']] },
  'POST /api/copyright': { outdated: [['moderation']] },
  'POST /api/moderation/notes/:id/question': moderated,
  'POST /api/moderation/notes/:id/decisions': decided,
  'POST /api/users/me/notes/:id/answer': { outdated: [['author-cases']] },
  'POST /api/users/me/notes/:id/objection': { outdated: [['author-cases']] },

  'POST /api/admin/invitations': administered,
  'POST /api/admin/invitations/:id/again': administered,
  'DELETE /api/admin/invitations/:id': administered,
  'PATCH /api/admin/settings': administered,
  'PATCH /api/admin/members/:id/quota': administered,
  'PATCH /api/admin/members/:id/role': moderated,
  'POST /api/admin/members/:id/suspension': decided,
  'DELETE /api/admin/members/:id/suspension': decided,
  'POST /api/admin/notes/:id/suspension': decided,
  'DELETE /api/admin/notes/:id/suspension': decided,

  // The titles of the user's anonymous notes lose the new name or email.
  'PATCH /api/users/me/name': { outdated: [['notes']], patched: [['own-lists']] },
  'POST /api/users/me/email': settings('email'),
  'DELETE /api/users/me/email': settings('email'),
  'POST /api/users/me/email/again': settings('email'),
  'POST /api/users/confirm-email': { outdated: [['settings', 'email'], ['own-lists'], ['notes']] },
  'POST /api/users/me/password': settings('sessions', 'email'),
  'POST /api/users/me/sessions/end-others': settings('sessions', 'email'),
  'POST /api/users/me/sessions/:id/end': settings('sessions'),
  'POST /api/users/me/passkeys': settings('passkeys'),
  'POST /api/users/me/passkeys/:id/remove': settings('passkeys'),
  'PATCH /api/users/me/passkeys/:id': settings('passkeys'),
  'POST /api/users/me/passkeys/options': none,
  'POST /api/users/me/two-factor/setup': none,
  'POST /api/users/me/two-factor/on': settings('two-factor'),
  'POST /api/users/me/two-factor/off': settings('two-factor'),
  'POST /api/users/me/two-factor/recovery-codes': settings('two-factor'),
  'POST /api/users/me/export': settings('export'),
  'POST /api/users/me/leaving': settings('leaving', 'sessions', 'email'),
  'DELETE /api/users/me/leaving': settings('leaving'),

  // These run before a login or start or end a session, which deletes all queries.
  'POST /api/users/': none,
  'POST /api/users/forgot-password': none,
  'POST /api/users/reset-password': none,
  'POST /api/users/verify': none,
  'POST /api/users/verify/password': none,
  'POST /api/users/verify/resend': none,
  'POST /api/users/not-me': none,
  'POST /api/users/login': none,
  'POST /api/users/login/code': none,
  'POST /api/users/login/passkey': none,
  'POST /api/users/login/passkey/options': none,
  'POST /api/users/logout': none,
  'POST /api/users/auth/logout': none,
  'POST /api/users/auth/refresh': none,
}
