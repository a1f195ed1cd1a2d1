import { defineEndpoint, lazySchemas } from './endpoint.ts'

// The registration page starts without zod and loads the registration policy.
const instance = lazySchemas(() => import('./instance-settings.ts'))

export const getRegistrationPolicy = defineEndpoint({
  method: 'GET',
  path: '/api/registration',
  tag: 'accounts',
  summary: 'Get the registration policy',
  public: true,
  responses: { 200: instance('registrationPolicy') },
})

export const getInstanceSettings = defineEndpoint({
  method: 'GET',
  path: '/api/admin/settings',
  tag: 'administration',
  summary: 'Get the instance settings',
  description: 'For admins.',
  role: 'admin',
  responses: { 200: instance('instanceSettings') },
})

export const updateInstanceSettings = defineEndpoint({
  method: 'PATCH',
  path: '/api/admin/settings',
  tag: 'administration',
  summary: 'Update the instance settings',
  description: 'For admins: the registration policy, the announcement, and what a student may upload in 24 hours.',
  role: 'admin',
  body: instance('instanceSettingsUpdate'),
  responses: { 200: instance('instanceSettings') },
})

export const listInvitations = defineEndpoint({
  method: 'GET',
  path: '/api/admin/invitations',
  tag: 'administration',
  summary: 'List invitations, newest first',
  description: 'For admins. Those that wait come before those that were used.',
  role: 'admin',
  query: instance('invitationsQuery'),
  responses: { 200: instance('invitations') },
})

export const createInvitation = defineEndpoint({
  method: 'POST',
  path: '/api/admin/invitations',
  tag: 'administration',
  summary: 'Create an invitation',
  description:
    'For admins. Allows one registration within 14 days, whatever the registration policy is. The link is mailed, or its token is returned. An address has at most one open invitation.',
  role: 'admin',
  body: instance('newInvitation'),
  responses: { 201: instance('createdInvitation') },
  errorCodes: ['invitation_waits'],
})

export const resendInvitation = defineEndpoint({
  method: 'POST',
  path: '/api/admin/invitations/:id/again',
  tag: 'administration',
  summary: 'Resend an invitation',
  description: 'For admins. The link stays the same and is valid for another 14 days.',
  role: 'admin',
  params: instance('invitationParams'),
  responses: { 204: { empty: true, description: 'The invitation will be mailed' } },
  errorCodes: ['invitation_over'],
})

export const revokeInvitation = defineEndpoint({
  method: 'DELETE',
  path: '/api/admin/invitations/:id',
  tag: 'administration',
  summary: 'Revoke an invitation',
  description: 'For admins. Idempotent. A used invitation stays used.',
  role: 'admin',
  params: instance('invitationParams'),
  responses: { 204: { empty: true, description: 'The invitation is not valid' } },
})
