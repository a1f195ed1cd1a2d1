import { endpointsOf, lazySchemas } from './endpoint.ts'

const define = endpointsOf('administration')
const defineRegistration = endpointsOf('accounts')

// The registration page starts without zod and loads the registration policy.
const instance = lazySchemas(() => import('./instance-settings.ts'))

export const getRegistrationPolicy = defineRegistration('GET', '/api/registration', {
  summary: 'Get the registration policy',
  public: true,
  responses: { 200: instance('registrationPolicy') },
})

export const getInstanceSettings = define('GET', '/api/admin/settings', {
  summary: 'Get the instance settings',
  role: 'admin',
  responses: { 200: instance('instanceSettings') },
})

export const updateInstanceSettings = define('PATCH', '/api/admin/settings', {
  summary: 'Update the instance settings',
  description: 'The registration policy, the announcement, and what a student may upload in 24 hours.',
  role: 'admin',
  body: instance('instanceSettingsUpdate'),
  responses: { 200: instance('instanceSettings') },
})

export const listInvitations = define('GET', '/api/admin/invitations', {
  summary: 'List invitations, newest first',
  description: 'Those that wait come before those that were used.',
  role: 'admin',
  query: instance('invitationsQuery'),
  responses: { 200: instance('invitations') },
})

export const createInvitation = define('POST', '/api/admin/invitations', {
  summary: 'Create an invitation',
  description:
    'Allows one registration within 14 days, whatever the registration policy is. The link is mailed, or its token is returned. An address has at most one open invitation.',
  role: 'admin',
  body: instance('newInvitation'),
  responses: { 201: instance('createdInvitation') },
  errorCodes: ['invitation_waits'],
})

export const resendInvitation = define('POST', '/api/admin/invitations/:id/again', {
  summary: 'Resend an invitation',
  description: 'The link stays the same and is valid for another 14 days.',
  role: 'admin',
  params: instance('invitationParams'),
  responses: { 204: { empty: true, description: 'The invitation will be mailed' } },
  errorCodes: ['invitation_over'],
})

export const revokeInvitation = define('DELETE', '/api/admin/invitations/:id', {
  summary: 'Revoke an invitation',
  description: 'Idempotent. A used invitation is refused.',
  role: 'admin',
  params: instance('invitationParams'),
  responses: { 204: { empty: true, description: 'The invitation is not valid' } },
  errorCodes: ['invitation_over'],
})
