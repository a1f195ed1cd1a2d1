import { defineEndpoint, lazily } from './endpoint.ts'

// The page to register begins without zod, and asks who may.
const house = lazily(() => import('./house.ts'))

export const getRegistrationPolicy = defineEndpoint({
  method: 'GET',
  path: '/api/registration',
  tag: 'accounts',
  summary: 'Who may register',
  public: true,
  answers: { 200: house('registrationPolicy') },
})

export const getInstanceSettings = defineEndpoint({
  method: 'GET',
  path: '/api/admin/settings',
  tag: 'administration',
  summary: 'What is set for everybody',
  description: 'For admins.',
  role: 'admin',
  answers: { 200: house('houseSettings') },
})

export const updateInstanceSettings = defineEndpoint({
  method: 'PATCH',
  path: '/api/admin/settings',
  tag: 'administration',
  summary: 'Set something for everybody',
  description: 'For admins: who may register, the announcement, and what a student may upload in 24 hours.',
  role: 'admin',
  body: house('houseChange'),
  answers: { 200: house('houseSettings') },
  refusals: ['invalid_input'],
})

export const listInvitations = defineEndpoint({
  method: 'GET',
  path: '/api/admin/invitations',
  tag: 'administration',
  summary: 'Whom admins invited, the latest first',
  description: 'For admins.',
  role: 'admin',
  answers: { 200: house('invitations') },
})

export const createInvitation = defineEndpoint({
  method: 'POST',
  path: '/api/admin/invitations',
  tag: 'administration',
  summary: 'Let somebody register, whoever else may',
  description:
    'For admins. Once, within 14 days. The link is mailed, or its token answered. One invitation of an address waits at a time.',
  role: 'admin',
  body: house('newInvitation'),
  answers: { 201: house('invited') },
  refusals: ['invalid_input', 'invitation_waits'],
})

export const resendInvitation = defineEndpoint({
  method: 'POST',
  path: '/api/admin/invitations/:id/again',
  tag: 'administration',
  summary: 'Mail an invitation again',
  description: 'For admins. The link is the same, and good for another 14 days.',
  role: 'admin',
  params: house('invitationParams'),
  answers: { 204: { empty: true, meaning: 'It is on its way' } },
  refusals: ['invalid_input', 'invitation_over'],
})

export const revokeInvitation = defineEndpoint({
  method: 'DELETE',
  path: '/api/admin/invitations/:id',
  tag: 'administration',
  summary: 'Take an invitation back',
  description: 'For admins. Doing so again is no error; what was used stays used.',
  role: 'admin',
  params: house('invitationParams'),
  answers: { 204: { empty: true, meaning: 'Nobody registers with it any more' } },
})
