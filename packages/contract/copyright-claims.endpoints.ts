import { endpointsOf, lazySchemas } from './endpoint.ts'

const define = endpointsOf('moderation')

// The page of the form starts without zod.
const claims = lazySchemas(() => import('./copyright-claims.ts'))

export const submitCopyrightClaim = define('POST', '/api/copyright', {
  summary: 'Submit a copyright claim',
  description:
    'Needs no account. The response is the same whether or not the note exists. The claimant gets the decision by mail. The same claim is accepted once a day.',
  public: true,
  body: claims('copyrightClaim'),
  responses: { 204: { empty: true, description: 'If the note exists, the moderators will review it' } },
  errorCodes: ['claim_sent', 'rate_limited'],
})
