import { defineEndpoint, lazySchemas } from './endpoint.ts'

// The page of the form starts without zod.
const claims = lazySchemas(() => import('./copyright-claims.ts'))

export const submitCopyrightClaim = defineEndpoint({
  method: 'POST',
  path: '/api/copyright',
  tag: 'moderation',
  summary: 'Submit a copyright claim',
  description:
    'Needs no account. The response is the same whether or not the note exists. The claimant gets the decision by mail. The same claim is accepted once a day.',
  public: true,
  body: claims('copyrightClaim'),
  responses: { 204: { empty: true, description: 'If the note exists, the moderators will review it' } },
  errorCodes: ['claim_sent', 'rate_limited'],
})
