import { defineEndpoint, lazily } from './endpoint.ts'

// The page for it begins without zod.
const claims = lazily(() => import('./claims.ts'))

export const submitCopyrightClaim = defineEndpoint({
  method: 'POST',
  path: '/api/copyright',
  tag: 'moderation',
  summary: 'Tell the moderators that a note is not its author’s to share',
  description:
    'Without an account. The answer is the same whether or not there is a note; who claims is mailed what was decided. The same claim is taken once a day.',
  public: true,
  body: claims('copyrightClaim'),
  answers: { 204: { empty: true, meaning: 'If there is such a note, the moderators will look at it' } },
  refusals: ['invalid_input', 'claim_sent', 'rate_limited'],
})
