import { createHmac } from 'node:crypto'
import { deriveSecret } from '../../platform/db/secret.ts'

/**
 * Derives the secret of the link in a job's mail, 32 bytes in base64url. A job that runs again after a lost response of
 * the mail server mails the same link, so either mail works and a mailbox may treat them as one.
 * @param id of the job, or of the object that several jobs mail.
 */
export const deriveLinkToken = (secret: string, id: string) =>
  createHmac('sha256', deriveSecret(secret, 'link')).update(id).digest('base64url')
